import FlatCache
import Foundation

/// A goal to which issues and pull requests belong.
struct Milestone: Cachable, Codable, Equatable {
    let id: Int
    let number: Int
    var title: String
    var state: TicketState
    var dueOn: Date?

    // relationship: User
    let creatorID: User.ID
}
