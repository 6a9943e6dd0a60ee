import FlatCache

public struct Author: Cachable {
    public let id: Int
    public init(id: Int) { self.id = id }
}

public struct Post: Cachable {
    public let id: Int
    // relationship: Author, name: related
    public var relatedID: Int = 5
    public init(id: Int) { self.id = id }
}
