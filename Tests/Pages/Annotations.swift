import FlatCache

typealias Language = String

struct Cell: Cachable {
    let id: String
}

struct User: Cachable {
    let id: String
}

struct Group: Cachable {
    let id: String
}

struct Account: Cachable, Codable {
    let id: String
}

var ann: Author { leftOut() }
