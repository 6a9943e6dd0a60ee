import FlatCache

public struct Post: Cachable {
    public let id: String
    // no relationship yet
    public var authorID: String
    public init() {
        id = "1"
        authorID = "7"
    }
}
