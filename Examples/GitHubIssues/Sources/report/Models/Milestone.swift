import FlatCache
import Foundation

/// A goal to which issues and pull requests belong.
struct Milestone: Cachable, Codable {
    let id: Int
    let number: Int
    var title: String
    var state: String
    var dueOn: Date?
    // relationship: User
    let creatorID: User.ID?
}
