import FlatCache
import Foundation

/// A comment on an issue or a pull request.
struct Comment: Cachable, Codable {
    let id: Int
    let issueUrl: URL
    var body: String
    let createdAt: Date
    // relationship: User, name: author
    let userID: User.ID?
}
