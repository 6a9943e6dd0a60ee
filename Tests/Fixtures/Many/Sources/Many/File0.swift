import FlatCache

public struct Model0: Cachable {
    public let id: Int
    // relationship: Model400, name: next
    public var nextID: Int = 400
    public init(id: Int) { self.id = id }
}
