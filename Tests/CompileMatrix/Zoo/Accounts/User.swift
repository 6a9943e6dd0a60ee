// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
public import FlatCache

/// An entity of a module that others import.
public struct User: Cachable, Equatable {
    public let id: String
    public var name: String
    // relationship: User
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
    // relationship: User
    package var memberIDs: Set<String>

    package init(id: Int, memberIDs: Set<String> = []) {
        self.id = id
        self.memberIDs = memberIDs
    }
}
