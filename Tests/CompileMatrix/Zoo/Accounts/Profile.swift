// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import FlatCache

/// A decodable entity of a module that others import.
public struct Profile: Cachable, Codable {
    public let id: String
    public internal(set) var note: String?
    private var secret: Badge<String>.ID
    // relationship: Profile, name: original
    public let originalID: String?

    private enum CodingKeys: String, CodingKey {
        case id = "acct", note, secret, originalID = "original_id"
    }
}

/// One that only the package sees.
package struct Membership: Cachable, Decodable {
    package let id: Int
    // relationship: Team
    package var teamID: Int
    // relationship: Profile
    var profileID: String
}
