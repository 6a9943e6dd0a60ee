import FlatCache
import Foundation

struct User: Cachable, Codable {
    let id: String
}

struct Group: Cachable, Codable {
    let id: String
}

struct Song: Cachable {
    let id: String
}

var song: Song { leftOut() }
