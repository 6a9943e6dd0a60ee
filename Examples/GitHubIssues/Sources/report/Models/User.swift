import FlatCache

/// A person, an organization or a bot.
struct User: Cachable, Codable {
    let id: Int
    var login: String
    var type: String
    var siteAdmin: Bool
}
