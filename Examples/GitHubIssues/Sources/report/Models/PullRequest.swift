import FlatCache
import Foundation

/// A proposed change of a repository.
struct PullRequest: Cachable, Codable {
    let id: Int
    let issueUrl: URL
    let number: Int
    var title: String
    var state: String
    var draft: Bool
    var mergedAt: Date?
    var head: Branch
    var base: Branch
    // relationship: User, name: author
    let userID: User.ID?
    // relationship: User
    var requestedReviewerIDs: [User.ID]
    // relationship: Milestone
    var milestoneID: Milestone.ID?
    // relationship: Label
    var labelIDs: [Label.ID]

    struct Branch: Codable {
        let ref: String
        let sha: String
        // relationship: Repository
        let repoID: Repository.ID?
    }
}
