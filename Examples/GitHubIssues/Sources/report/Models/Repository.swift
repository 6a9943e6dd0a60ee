import FlatCache

/// A repository, whole or as others name it.
struct Repository: Cachable, Codable {
    let id: Int
    var fullName: String
    var stargazersCount: Int
    var defaultBranch: String
    // relationship: User
    var ownerID: User.ID
    // relationship: Repository
    var parentID: Repository.ID?
}
