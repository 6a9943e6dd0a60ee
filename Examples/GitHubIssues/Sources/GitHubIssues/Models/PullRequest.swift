import FlatCache
import Foundation

/// A proposed change of a repository.
///
/// The REST API lists it among the issues, and it has their members.
struct PullRequest: Cachable, Codable, Equatable, Ticket {
    let id: Int
    let number: Int
    var title: String
    var state: TicketState
    var comments: Int
    let createdAt: Date
    var closedAt: Date?

    // relationship: User, name: author
    let userID: User.ID

    // relationship: User
    var assigneeID: User.ID?

    // relationship: User
    var assigneeIDs: [User.ID]

    // relationship: Milestone
    var milestoneID: Milestone.ID?

    // relationship: Label
    var labelIDs: [Label.ID]?
}
