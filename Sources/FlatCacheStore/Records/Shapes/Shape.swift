/// The names of the members of an object, in the order of their values.
///
/// It is unchecked because of a pointer to memory that only `init` and `deinit` change.
final class Shape: @unchecked Sendable {
    /// The names, in memory of the shape: an array would be retained and released for each member that is searched.
    let names: UnsafePointer<String>
    let count: Int
    /// The positions of the names, if there are many.
    private let positions: [String: Int]?

    init(_ names: [String]) {
        let memory = UnsafeMutablePointer<String>.allocate(capacity: names.count)
        count = UnsafeMutableBufferPointer(start: memory, count: names.count).initialize(fromContentsOf: names)
        self.names = UnsafePointer(memory)
        positions =
            names.count > Self.searchedNames
            ? Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first }) : nil
    }

    deinit {
        let memory = UnsafeMutablePointer(mutating: names)
        memory.deinitialize(count: count)
        memory.deallocate()
    }

    /// The number of names up to which a search is faster than hashing.
    static let searchedNames = 16

    var allNames: [String] { Array(UnsafeBufferPointer(start: names, count: count)) }

    /// Returns the position of a name, or `nil`.
    func position(of name: String) -> Int? {
        if let positions { return positions[name] }
        return (0..<count).first { names[$0] == name }
    }
}
