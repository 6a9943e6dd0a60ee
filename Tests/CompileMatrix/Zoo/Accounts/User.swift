// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import FlatCache

/// An entity of a module that others import.
public struct User: Cachable, Equatable {
    public let id: String
    public var name: String
    // relationship: User, backlink: followed
    public var followerIDs: [User.ID] = []
    // relationship: Team
    package var teamID: Team.ID?
    // relationship: Self, name: inviter
    let inviterID: String?

    public init(id: String, name: String = "", inviterID: String? = nil) {
        self.id = id
        self.name = name
        self.inviterID = inviterID
    }
}

/// An entity that only the package sees.
package struct Team: Cachable {
    package let id: Int
    // cache: index
    // relationship: User, backlink: teams, sorted: id
    package var memberIDs: Set<String>

    package init(id: Int, memberIDs: Set<String> = []) {
        self.id = id
        self.memberIDs = memberIDs
    }
}

/// A generic entity of a module that others import.
public struct Badge<Content: Hashable & Sendable>: Cachable {
    public let id: Int
    public var content: Content
    // relationship: User
    public var ownerID: String?
    // relationship: Badge, name: original
    public internal(set) var originalID: Int?
    // relationship: Team
    package let teamIDs: [Int]

    public init(id: Int, content: Content, ownerID: String? = nil) {
        self.id = id
        self.content = content
        self.ownerID = ownerID
        teamIDs = []
    }
}

/// One that only the package sees.
package struct Note<Content: Sendable>: Cachable where Content: Equatable {
    package let id: Int
    // relationship: Note, name: next
    package var nextID: Int?

    package init(id: Int, nextID: Int? = nil) {
        self.id = id
        self.nextID = nextID
    }
}

/// The key of a dictionary in a module that others import.
public nonisolated struct Region: Hashable, Codable, Sendable {
    public let code: Int

    public init(code: Int) { self.code = code }
}
