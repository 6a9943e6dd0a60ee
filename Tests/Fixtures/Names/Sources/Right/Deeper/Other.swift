import FlatCache

public struct Reader: Cachable {
    public let id: Int
    public init(id: Int) { self.id = id }
}

public struct Comment: Cachable {
    public let id: Int
    // relationship: Reader, name: related
    public var relatedID: Int = 5
    public init(id: Int) { self.id = id }
}
