import FlatCache

struct Person: Cachable, Codable {
    let id: String
}
