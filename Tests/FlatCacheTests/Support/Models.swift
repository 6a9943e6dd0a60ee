import FlatCache
import Foundation

struct Post: Cachable, Equatable {
    let id: String
    var title = ""
    var likes = 0
    var authorID = ""
}

struct Author: Cachable, Equatable {
    let id: String
    var name = ""
}

struct Counter: Cachable, Equatable {
    let id: Int
    var count = 0
}

struct Attachment: Cachable, Equatable {
    let id: UUID
    var name = ""
}

/// The identifier of a status is unique on one server only.
struct StatusID: Hashable, Sendable {
    var domain: String
    var id: String
}

struct Status: Cachable, Equatable {
    let id: StatusID
    var text = ""
}

/// An entity that can't be compared, and whose identifier can change.
struct Draft: Cachable {
    var id: Int
    var text = ""
}

/// An identifier whose hashes are all the same.
struct CollidingID: Hashable, Sendable {
    var number: Int

    func hash(into hasher: inout Hasher) {}
}

struct Colliding: Cachable, Equatable {
    let id: CollidingID
    var count = 0

    init(_ number: Int, count: Int = 0) {
        id = CollidingID(number: number)
        self.count = count
    }
}
