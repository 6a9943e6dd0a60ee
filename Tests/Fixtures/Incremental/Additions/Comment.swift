import FlatCache

public struct Comment: Cachable {
    public let id = 1
    // relationship: Post
    public var postID: String = "1"
    public init() {}
}
