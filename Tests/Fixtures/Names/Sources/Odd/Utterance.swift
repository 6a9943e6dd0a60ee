import FlatCache

public struct Überschrift: Cachable {
    public let id: Int
    public init(id: Int) { self.id = id }
}

public struct Äußerung: Cachable {
    public let id: Int
    // relationship: Überschrift, name: related
    public var relatedID: Int = 7
    public init(id: Int) { self.id = id }
}
