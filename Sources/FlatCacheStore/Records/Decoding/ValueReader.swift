internal import Synchronization

/// Reads the values of a record where its type asks for them.
///
/// All decoders and containers of a record share a reader. They can be used in any order. After the call of
/// ``RecordDecoder/decode(_:from:)`` the bytes may be gone, so a container that is used later sees an empty record.
///
/// One thread at a time uses a reader; see ``ReaderUse``.
final class ValueReader {
    /// The member of an object that was read last, where the search for the next begins.
    struct Cursor {
        /// The position of the object.
        var object = -1
        /// The position of the member in the shape.
        var index = -1
        var start = 0
        var end = 0
    }

    @exclusivity(unchecked) private(set) var shapes = ShapeTable()
    @exclusivity(unchecked) private(set) var userInfo: [CodingUserInfoKey: any Sendable] = [:]
    /// The path to the first value.
    let basePath: [any CodingKey]
    /// The number of the record that is being read, by which containers of earlier ones are recognised.
    ///
    /// A container that was kept reads it while another thread uses the reader.
    private let currentRecord = Atomic<Int>(0)
    @exclusivity(unchecked) private(set) var bytes: RecordBytes
    /// The cursors of some objects.
    ///
    /// An object whose cursor is overwritten is searched from its start.
    let cursors: UnsafeMutablePointer<Cursor>
    /// The objects that have their own shapes, by their positions.
    @exclusivity(unchecked) var namedObjects: [Int: (object: Object, shape: Shape)] = [:]
    /// The positions of all members of large objects, by the positions of the objects.
    @exclusivity(unchecked) var memberStarts: [Int: [Int]] = [:]
    /// The last step of a path through each container.
    @exclusivity(unchecked) var steps: [Int: Step] = [:]

    static let cursorCount = 16
    /// A record that is `null`, whose byte exists forever.
    private static let null: StaticString = "\0"

    /// Creates a reader of an empty record.
    init() {
        basePath = []
        bytes = RecordBytes(base: Self.null.utf8Start, count: 0)
        cursors = .allocate(capacity: Self.cursorCount)
        cursors.initialize(repeating: Cursor(), count: Self.cursorCount)
    }

    /// Creates a reader of a value that doesn't exist.
    init(nullAt path: [any CodingKey], userInfo: [CodingUserInfoKey: any Sendable]) {
        basePath = path
        bytes = RecordBytes(base: Self.null.utf8Start, count: 1)
        cursors = .allocate(capacity: Self.cursorCount)
        cursors.initialize(repeating: Cursor(), count: Self.cursorCount)
        self.userInfo = userInfo
    }

    deinit { cursors.deallocate() }

    /// The number of the record that is being read.
    @inline(__always) var record: Int { currentRecord.load(ordering: .relaxed) }

    /// Begins to read records.
    func begin(_ shapes: ShapeTable, _ userInfo: [CodingUserInfoKey: any Sendable]) {
        self.shapes = shapes
        self.userInfo = userInfo
    }

    /// Calls a closure that reads the value that a record is, if it is whole.
    ///
    /// Afterwards, the bytes may be gone, and the record is empty.
    func readWhole<Result>(_ bytes: RecordBytes, _ body: () throws -> Result) throws -> Result {
        self.bytes = bytes
        for place in 0..<Self.cursorCount { cursors[place].object = -1 }
        defer { end() }
        guard bytes.count <= RecordLimit.bytes, bytes.end(of: 0, before: bytes.count) == bytes.count else {
            throw damage(at: 0, "The record isn't one whole value")
        }
        return try body()
    }

    private func end() {
        bytes = RecordBytes(base: Self.null.utf8Start, count: 0)
        // Only the thread that uses the reader writes it, so the addition need not be atomic.
        currentRecord.store(record + 1, ordering: .relaxed)
        if !namedObjects.isEmpty { namedObjects = [:] }
        if !memberStarts.isEmpty { memberStarts = [:] }
        if !steps.isEmpty { steps = [:] }
    }

    /// Returns the end of a value, which can then be read without further checks.
    @inline(__always) func end(of position: Int, before limit: Int) throws -> Int {
        let end = bytes.end(of: position, before: min(limit, bytes.count))
        if end < 0 { throw damage(at: position, "A value isn't whole") }
        return end
    }

    /// Returns the tag of a value that exists.
    @inline(__always) func tag(at position: Int) -> UInt8 { bytes.base[position] }

    /// Returns whether the value at a position is `nil`.
    @inline(__always) func isNull(at position: Int) -> Bool { tag(at: position) <= RecordTag.absent }
}
