import FlatCache
import Foundation
import Testing

@testable import GitHubIssues

@Suite("Decoding")
struct DecodingTests {
    @Test("Normalized entities are read", .enabled(if: Fixtures.folder != nil))
    func normalized() throws {
        let (cache, ids, problems) = try Fixtures.stored([Fixtures.path("issues-flat.json")])
        #expect(problems == [])
        #expect(ids.count == 18)
        #expect(cache.count(of: Issue.self) == 15)
        #expect(cache.count(of: PullRequest.self) == 3)
        #expect(cache.count(of: User.self) == 13)
        #expect(cache.count(of: Milestone.self) == 2)
        #expect(cache.count(of: Label.self) == 4)
        let issue = try #require(cache.get(Issue.self, id: 196_963_939))
        #expect(issue.author(in: cache)?.login == "paularmstrong")
        #expect(issue.assignee(in: cache)?.login == "unindented")
        #expect(issue.assignees(in: cache).map(\.login) == ["unindented"])
        #expect(issue.milestone(in: cache)?.creator(in: cache)?.login == "paularmstrong")
        #expect(issue.labels(in: cache) == nil)
    }

    @Test("The same entities are read if they are nested", .enabled(if: Fixtures.folder != nil))
    func nested() throws {
        let flat = try Fixtures.stored([Fixtures.path("issues-flat.json")])
        try Fixtures.withNested(Fixtures.path("issues-flat.json")) { paths in
            let nested = try Fixtures.stored(paths)
            #expect(nested.problems == [])
            #expect(nested.ids == flat.ids)
            #expect(nested.cache.entities(of: Issue.self) == flat.cache.entities(of: Issue.self))
            #expect(nested.cache.entities(of: PullRequest.self) == flat.cache.entities(of: PullRequest.self))
            #expect(nested.cache.entities(of: User.self) == flat.cache.entities(of: User.self))
            #expect(nested.cache.entities(of: Milestone.self) == flat.cache.entities(of: Milestone.self))
            #expect(nested.cache.entities(of: Label.self) == flat.cache.entities(of: Label.self))
        }
    }

    @Test("A response is read, and an issue that it repeats is stored once", .enabled(if: Fixtures.folder != nil))
    func recorded() throws {
        let (cache, ids, problems) = try Fixtures.stored([Fixtures.path("issues-nested.json")])
        #expect(problems == [])
        #expect(ids.count == 26 && Set(ids).count == 13)
        #expect(cache.count(of: Issue.self) == 13)
        #expect(cache.allValues(of: User.self).map(\.login) == ["octokit-fixture-user-a"])
        #expect(cache.count == 14)
        #expect(cache.allValues(of: Issue.self).allSatisfy { $0.labels(in: cache) == [] })
    }

    @Test("A response without labels keeps the labels of an issue")
    func keepsLabels() throws {
        let cache = FlatCache()
        for members in [#""labels": [{"id": 1, "name": "bug", "color": "ff0000"}]"#, #""body": null"#] {
            #expect(try cache.store(contentsOf: Data("[\(issue(1, members))]".utf8)).problems.isEmpty)
        }
        #expect(cache.get(Issue.self, id: 1)?.labels(in: cache)?.map(\.name) == ["bug"])
    }
}

/// The JSON text of an issue with its author, and members that replace those with the same names.
func issue(_ number: Int, _ members: String) -> String {
    // Foundation's decoder reads the first of equal keys.
    """
    {\(members), "id": \(number), "number": \(number), "title": "Issue \(number)", "state": "open", "comments": 0,
     "created_at": "2020-01-01T00:00:00Z", "closed_at": null, "assignee": null, "assignees": [], "milestone": null,
     "user": {"id": 7, "login": "ada", "type": "User", "site_admin": false}}
    """
}
