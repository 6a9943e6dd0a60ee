import FlatCache
import Left

public struct Link: Cachable {
    public let id = 1
    // relationship: Left.Author, name: author
    public var authorID: Int = 4
    public init() {}
}
