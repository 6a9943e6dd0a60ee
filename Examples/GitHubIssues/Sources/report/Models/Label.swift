import FlatCache

/// A category of issues and pull requests.
struct Label: Cachable, Codable {
    let id: Int
    var name: String
    var color: String
}
