public import FlatCache

public struct Person: Cachable {
    public let id: Int
    public var name: String
    // relationship: Person, inverse: pupilIDs
    public var teacherID: Int?
    // relationship: Person
    public var pupilIDs: [Int] = []
    public init(id: Int, name: String) {
        self.id = id
        self.name = name
    }
}

package struct Badge: Cachable {
    package let id: String
    package init(id: String) { self.id = id }
}

/// Refines `Cachable` where the plugin of the other target can't see it.
public protocol Entity: Cachable {}
