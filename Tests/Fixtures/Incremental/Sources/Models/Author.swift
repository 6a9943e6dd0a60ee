import FlatCache

public struct Author: Cachable {
    public let id: String
    public init(id: String) { self.id = id }
}
