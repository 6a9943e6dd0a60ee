import FlatCache
import Foundation

/// The repositories, open issues and open pull requests of a cache.
struct Report {
    let cache: FlatCache

    var lines: [String] {
        FlatCache.withCurrent(cache) {
            cache.allValues(of: Repository.self).sorted { $0.id < $1.id }.map(line)
                + cache.allValues(of: Issue.self).filter { $0.state == "open" && $0.pullRequest == nil }
                .sorted { $0.number < $1.number }.flatMap(lines)
                + cache.allValues(of: PullRequest.self).filter { $0.state == "open" }
                .sorted { $0.number < $1.number }.flatMap(lines)
        }
    }

    private func line(of repository: Repository) -> String {
        var facts = ["\(repository.stargazersCount) stars", "by \(name(of: repository.owner))"]
        if let parent = repository.parent { facts.append("a fork of \(parent.fullName)") }
        return "\(repository.fullName): \(facts.joined(separator: ", "))"
    }

    private func lines(of issue: Issue) -> [String] {
        var facts = ["by \(name(of: issue.author))"] + issue.assignees.map { "for \($0.login)" }
        if let milestone = issue.milestone { facts.append("in \(milestone.title) of \(name(of: milestone.creator))") }
        let comments = cache.allValues(of: Comment.self).filter { $0.issueUrl == issue.url }
        return lines("#\(issue.number) \(issue.title)", issue.labels, facts, comments)
    }

    private func lines(of pull: PullRequest) -> [String] {
        let origin = "\(pull.head.repo?.fullName ?? "a deleted repository"):\(pull.head.ref)"
        var facts = ["by \(name(of: pull.author))", "from \(origin) into \(pull.base.ref)"]
        facts += pull.requestedReviewers.map { "to be reviewed by \($0.login)" }
        if let milestone = pull.milestone { facts.append("in \(milestone.title)") }
        let comments = cache.allValues(of: Comment.self).filter { $0.issueUrl == pull.issueUrl }
        return lines("#\(pull.number) \(pull.title)", pull.labels, facts, comments)
    }

    private func lines(_ title: String, _ labels: [Label], _ facts: [String], _ comments: [Comment]) -> [String] {
        let heading = ([title] + labels.map { "[\($0.name)]" }).joined(separator: " ")
        return ["", heading, "    \(facts.joined(separator: ", "))"]
            + comments.sorted { $0.createdAt < $1.createdAt }.map { "    \(name(of: $0.author)): \($0.body)" }
    }

    /// The login of a user, or the one that GitHub shows for a deleted user.
    private func name(of user: User?) -> String { user?.login ?? "ghost" }
}
