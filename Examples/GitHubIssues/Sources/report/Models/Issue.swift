import FlatCache
import Foundation

/// A report or a request in a repository.
///
/// The API lists pull requests, too, and refers to them in `pullRequest`.
struct Issue: Cachable, Codable {
    let id: Int
    let url: URL
    let number: Int
    var title: String
    var state: String
    var comments: Int
    let createdAt: Date
    var closedAt: Date?
    var pullRequest: Link?
    // relationship: User, name: author
    let userID: User.ID?
    // relationship: User
    var assigneeIDs: [User.ID]
    // relationship: Milestone
    var milestoneID: Milestone.ID?
    // relationship: Label
    var labelIDs: [Label.ID]

    struct Link: Codable {
        let url: URL
    }
}
