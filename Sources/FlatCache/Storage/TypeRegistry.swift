public import Synchronization

/// The tables of a cache, which are found by type without a lock.
///
/// The directory is an open-addressing hash table of type metadata addresses. A new type, once per type and cache,
/// fills an empty entry: first its table, then its type, which readers compare. When half of the entries are occupied,
/// a copy of twice the size is published. Old directories remain until the registry is deallocated, because a reader
/// may still use one. All of them together need no more memory than the last one.
@usableFromInline
struct TypeRegistry: ~Copyable, @unchecked Sendable {  // Entries of a directory are filled under a lock.
    /// The published directory.
    @usableFromInline let directory: Atomic<UnsafeMutablePointer<DirectoryEntry>>
    private let tables = Tables()
    private let history: History

    init(history: History) {
        self.history = history
        directory = Atomic(tables.grow(to: 4))
    }

    /// The table of a type, or `nil` if no entity of the type was ever stored or observed.
    ///
    /// The caller keeps the cache alive while it uses the table.
    ///
    /// - Complexity: O(1).
    @inlinable @inline(__always) func find<Value: Cachable>(_ type: Value.Type) -> Unmanaged<Table<Value>>? {
        let directory = directory.load(ordering: .acquiring)
        let wanted = UInt(bitPattern: ObjectIdentifier(type))
        // The first entry isn't a table, but has the mask.
        let mask = directory.pointee.type.load(ordering: .relaxed)
        var index = DirectoryEntry.home(of: wanted) & mask
        while true {
            let entry = directory + 1 + Int(bitPattern: index)
            let type = entry.pointee.type.load(ordering: .acquiring)
            if type == wanted { return entry.pointee.table.map { Unmanaged.fromOpaque($0) } }
            if type == 0 { return nil }
            index = (index &+ 1) & mask
        }
    }

    /// The table of a type, created if there is none.
    @inlinable @inline(__always) func table<Value: Cachable>(of type: Value.Type) -> Unmanaged<Table<Value>> {
        find(type) ?? makeTable(of: type)
    }

    @usableFromInline func makeTable<Value: Cachable>(of type: Value.Type) -> Unmanaged<Table<Value>> {
        addRules(of: type)
        return tables.lock.withLock {
            if let table = find(type) { return table }
            let rules = tables.rules(of: type)
            let table = Table<Value>(
                ordinal: tables.list.count,
                history: history,
                removalRules: rules,
                clearedRevision: tables.clearedRevision
            )
            if let grown = tables.add(table) { directory.store(grown, ordering: .releasing) }
            return Unmanaged.passUnretained(table)
        }
    }

    /// Notes that all entities of all types are removed, so that a type that is used later has no entity from before.
    func noteCleared(_ revision: UInt64) {
        tables.lock.withLock { tables.clearedRevision = max(tables.clearedRevision, revision) }
    }

    /// A revision of the last removal of all entities of all types, or 0 for none.
    var clearedRevision: UInt64 { tables.lock.withLock { tables.clearedRevision } }

    /// Adds the delete rules of a type to the tables of its related types, before an entity of the type can be stored.
    ///
    /// It runs user code. A table that is created later finds the rules when it is created.
    private func addRules<Value: Cachable>(of type: Value.Type) {
        let declared = type.deleteRules.map { $0.declared }
        if declared.isEmpty { return }
        let (known, list) = tables.lock.withLock { (tables.addRules(declared, of: type), tables.list) }
        for rule in known {
            for table in list where table.entityType == rule.relatedType { table.add(rule.rule) { $0 === rule.rule } }
        }
    }

    /// The delete rules that a type declares, if it is used.
    func declaredRules(of type: any Any.Type) -> [DeclaredRule] {
        tables.lock.withLock { tables.declaredRules(of: type) }
    }

    /// All tables, in the order of their creation.
    var all: [EntityTable] { tables.lock.withLock { tables.list } }

    /// The number of tables.
    var count: Int { tables.lock.withLock { tables.list.count } }

    /// The number of entries that were filled in all directories.
    var filledEntryCount: Int { tables.lock.withLock { tables.filledCount } }

    /// Runs a body while no table can be created, if the number of tables is as expected.
    ///
    /// - Parameters:
    ///   - count: The expected number, or `nil` for any.
    ///   - body: The closure to run, which isn't user code.
    func whileCount<Result>(is count: Int?, _ body: () -> Result) -> Result? {
        tables.lock.withLock { count == nil || count == tables.list.count ? body() : nil }
    }
}

/// An entry of a directory, with the address of a type's metadata and its table, or zero.
@frozen @usableFromInline
struct DirectoryEntry: ~Copyable {
    @usableFromInline let type: Atomic<UInt>
    /// The table, which is set before the type.
    @usableFromInline var table: UnsafeMutableRawPointer?

    init(type: UInt) {
        self.type = Atomic(type)
    }

    /// Metadata is aligned, so the low bits of its address are constant, and the next bits distinguish types well
    /// enough.
    @inlinable static func home(of type: UInt) -> UInt { (type >> 4) ^ (type >> 12) }
}

/// The tables of a registry, and the memory of all its directories.
private final class Tables: @unchecked Sendable {  // Everything variable is guarded by the lock.
    let lock = Lock()
    private(set) var list: [EntityTable] = []
    /// A revision of the last removal of all entities of all types, or 0 for none.
    var clearedRevision: UInt64 = 0
    private var rules = DeclaredRules()
    private var directories: [UnsafeMutablePointer<DirectoryEntry>] = []
    private var capacity = 0
    /// The number of entries that were filled in all directories.
    private(set) var filledCount = 0

    deinit {
        for directory in directories { directory.deallocate() }
    }

    /// Adds a table, with the lock held.
    ///
    /// - Returns: A directory to be published, if the previous one was full.
    func add(_ table: EntityTable) -> UnsafeMutablePointer<DirectoryEntry>? {
        list.append(table)
        guard let directory = directories.last, list.count * 2 <= capacity else { return grow(to: capacity * 2) }
        fill(directory, table)
        return nil
    }

    /// Adds the delete rules of a type, with the lock held.
    ///
    /// - Returns: The rules that are known now.
    func addRules(_ declared: [DeclaredRule], of type: any Any.Type) -> [DeclaredRule] {
        rules.add(declared, of: type)
    }

    /// The rules that a type declares, with the lock held.
    func declaredRules(of type: any Any.Type) -> [DeclaredRule] { rules.declared(by: type) }

    /// The rules for removed entities of a type, with the lock held.
    func rules<Value: Cachable>(of type: Value.Type) -> [RemovalRule] { rules.rules(of: type) }

    /// Creates a directory of all tables.
    func grow(to capacity: Int) -> UnsafeMutablePointer<DirectoryEntry> {
        let directory = UnsafeMutablePointer<DirectoryEntry>.allocate(capacity: capacity + 1)
        directory.initialize(to: DirectoryEntry(type: UInt(capacity - 1)))
        for place in 1...capacity { (directory + place).initialize(to: DirectoryEntry(type: 0)) }
        self.capacity = capacity
        directories.append(directory)
        for table in list { fill(directory, table) }
        return directory
    }

    private func fill(_ directory: UnsafeMutablePointer<DirectoryEntry>, _ table: EntityTable) {
        let type = UInt(bitPattern: ObjectIdentifier(table.entityType))
        let mask = UInt(capacity - 1)
        var index = DirectoryEntry.home(of: type) & mask
        while directory[1 + Int(index)].type.load(ordering: .relaxed) != 0 { index = (index + 1) & mask }
        directory[1 + Int(index)].table = Unmanaged.passUnretained(table).toOpaque()
        directory[1 + Int(index)].type.store(type, ordering: .releasing)
        filledCount += 1
    }
}
