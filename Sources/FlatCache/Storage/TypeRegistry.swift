public import Synchronization

/// Finds the table of a type without a lock.
///
/// The directory is an open-addressing hash table of type metadata addresses. It is never changed once it is published:
/// adding a type, which happens once per type and cache, publishes a copy with one entry more. Old directories stay until
/// the registry goes, because a reader may still be in one; as each is at most half as large as the next, all of them
/// together take no more memory than the last.
@usableFromInline
struct TypeRegistry: ~Copyable, @unchecked Sendable {  // A published directory doesn't change.
    /// The published directory.
    @usableFromInline let directory: Atomic<UnsafeMutablePointer<DirectoryEntry>>
    private let tables = Tables()
    private let history: History

    init(history: History) {
        self.history = history
        directory = Atomic(Tables.makeDirectory(of: [], capacity: 2))
        tables.publish(directory.load(ordering: .relaxed))
    }

    /// The table of a type, or `nil` while nothing of that type has been stored or observed.
    ///
    /// The caller keeps the cache alive while it uses the table.
    ///
    /// - Complexity: O(1).
    @inlinable func find<Value: Cachable>(_ type: Value.Type) -> Unmanaged<Table<Value>>? {
        let directory = directory.load(ordering: .acquiring)
        let wanted = UInt(bitPattern: ObjectIdentifier(type))
        // The first entry isn't one: it carries the mask.
        let mask = directory.pointee.type
        var index = DirectoryEntry.home(of: wanted) & mask
        while true {
            let entry = directory + 1 + Int(bitPattern: index)
            if entry.pointee.type == wanted {
                return entry.pointee.table.map { Unmanaged.fromOpaque($0) }
            }
            if entry.pointee.type == 0 { return nil }
            index = (index &+ 1) & mask
        }
    }

    /// The table of a type, made if there is none.
    @inlinable func table<Value: Cachable>(of type: Value.Type) -> Unmanaged<Table<Value>> {
        find(type) ?? makeTable(of: type)
    }

    @usableFromInline func makeTable<Value: Cachable>(of type: Value.Type) -> Unmanaged<Table<Value>> {
        tables.withLock { list in
            if let table = find(type) { return table }
            let table = Table<Value>(ordinal: list.count, history: history)
            list.append(table)
            let grown = Tables.makeDirectory(of: list, capacity: Swift.max(2, (list.count * 2).nextPowerOfTwo))
            tables.publish(grown)
            directory.store(grown, ordering: .releasing)
            return Unmanaged.passUnretained(table)
        }
    }

    /// All tables, in the order in which they were made.
    var all: [any ErasedTable] { tables.withLock { $0 } }
}

/// A place in a directory: the address of a type's metadata and its table, or zero.
@frozen @usableFromInline
struct DirectoryEntry {
    @usableFromInline var type: UInt
    @usableFromInline var table: UnsafeMutableRawPointer?

    @inlinable init(type: UInt, table: UnsafeMutableRawPointer?) {
        self.type = type
        self.table = table
    }

    /// Metadata is aligned: the low bits of its address say nothing, the next ones tell types apart well enough.
    @inlinable static func home(of type: UInt) -> UInt { (type >> 4) ^ (type >> 12) }
}

/// The tables of a registry, and the memory of all its directories.
private final class Tables: @unchecked Sendable {  // Both variables are guarded by the lock.
    private let lock = Lock()
    private var list: [any ErasedTable] = []
    private var directories: [UnsafeMutablePointer<DirectoryEntry>] = []

    deinit {
        for directory in directories { directory.deallocate() }
    }

    func withLock<Result>(_ body: (inout [any ErasedTable]) -> Result) -> Result {
        lock.withLock { body(&list) }
    }

    /// Takes the ownership of a directory that readers may be in from now on.
    ///
    /// Called with the lock held, or before anybody else can see the registry.
    func publish(_ directory: UnsafeMutablePointer<DirectoryEntry>) {
        directories.append(directory)
    }

    static func makeDirectory(of tables: [any ErasedTable], capacity: Int) -> UnsafeMutablePointer<DirectoryEntry> {
        let directory = UnsafeMutablePointer<DirectoryEntry>.allocate(capacity: capacity + 1)
        directory.initialize(repeating: DirectoryEntry(type: 0, table: nil), count: capacity + 1)
        let mask = UInt(capacity - 1)
        directory.pointee.type = mask
        for table in tables {
            let type = UInt(bitPattern: ObjectIdentifier(table.entityType))
            var index = DirectoryEntry.home(of: type) & mask
            while directory[1 + Int(index)].type != 0 { index = (index + 1) & mask }
            directory[1 + Int(index)] = DirectoryEntry(
                type: type,
                table: Unmanaged.passUnretained(table as AnyObject).toOpaque()
            )
        }
        return directory
    }
}

extension Int {
    /// The smallest power of two that isn't smaller.
    fileprivate var nextPowerOfTwo: Int { self <= 1 ? 1 : 1 << (Int.bitWidth - (self - 1).leadingZeroBitCount) }
}
