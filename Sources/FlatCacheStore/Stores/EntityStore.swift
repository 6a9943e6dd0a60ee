/// A place that keeps the entities of a cache when the process ends.
///
///     let store = FileStore(at: folder)
///     try FlatCache.setShared(try await FlatCache(store: store, for: Post.self, Author.self))
///
/// ``FileStore`` is the store of this library. An app can implement its own, for example over a database. The product
/// `FlatCacheStoreTesting` has checks for the tests of such a store; `Examples/GRDBStore` is one over SQLite.
///
/// A store keeps records: bytes under a key of bytes, in groups. It doesn't know what they mean. Keys and values may have any
/// bytes, and may be empty. The cache writes records in batches. A batch is the state after one commit of everything that has
/// changed since the batch before. A store keeps a batch whole or not at all, so after a crash it has the state after some
/// commit.
///
/// ## Opening and closing
///
/// Except for ``open(_:)`` and ``close()``, all methods throw an error if the store isn't open. A closed store can
/// be opened again. Opening a store that is open throws an error.
///
/// ## Threads
///
/// The cache calls the methods of an open store one after the other, on a queue of its own, so not always on the same thread.
/// They may block. No commit waits for them. The closures that a method receives must not call the store.
///
/// ## Errors
///
/// A method that throws has changed nothing, except that records of a failed ``write(_:)`` may use space. The cache goes on in
/// memory, reports the error, and writes the changes again later.
public protocol EntityStore: AnyObject, Sendable {
    /// Opens the store.
    ///
    /// With ``StoreAccess/readWrite`` it is created if it doesn't exist. If it is open for writing, here or in another process,
    /// this throws immediately.
    ///
    /// With ``StoreAccess/readOnly`` it throws if it doesn't exist, and can be opened beside a store that writes. Reads find
    /// what was written before the opening, until ``refresh()``.
    ///
    /// - Parameter access: Whether records are written.
    func open(_ access: StoreAccess) throws

    /// Closes the store, which ends its use by this process.
    ///
    /// Batches that were written remain. Closing a store that isn't open does nothing.
    func close()

    /// Returns the groups that have records, with the number of their records.
    func groups() throws -> [RecordGroup: Int]

    /// Calls a closure with all records of some groups, in parts.
    ///
    /// The records of a group are in the order in which they were written last, whether their values differed or not. Parts of
    /// several groups can alternate. Many records are given in several parts, so that a part has a limited size.
    ///
    /// - Parameters:
    ///   - groups: The groups. Those without records are left out.
    ///   - body: A closure that is called with a group and some of its records. Its error is thrown.
    func read(_ groups: Set<RecordGroup>, _ body: (RecordGroup, [StoredRecord]) throws -> Void) throws

    /// Returns the records of some keys of a group, without those that don't exist.
    ///
    /// - Parameters:
    ///   - group: The group.
    ///   - keys: The keys, each once.
    /// - Returns: The records, in any order.
    func read(_ group: RecordGroup, keys: [ArraySlice<UInt8>]) throws -> [StoredRecord]

    /// Writes a batch, whole or not at all.
    ///
    /// When it returns, later reads find the changes. They survive the end of the process, and after ``flush()`` also a crash
    /// of the system.
    ///
    /// - Parameter batch: The changes, in parts. A store takes the parts one after the other, so a batch can be larger than
    ///   memory.
    func write(_ batch: StoreBatch) throws

    /// Makes all batches that were written survive a crash of the process and of the system.
    ///
    /// With ``StoreAccess/readOnly`` it does nothing.
    func flush() throws

    /// Returns what another process has written since the last call, or since the store was opened.
    ///
    /// It is called for stores with ``StoreAccess/readOnly``. Later reads find what it returns. Without news it returns
    /// ``StoreNews/none``. The default does so, too. A store that several processes use implements this method.
    func refresh() throws -> StoreNews

    /// Lets another process write, until ``resume()``.
    ///
    /// Reads find the same records as before. The default does nothing. A store that several processes use implements this
    /// method.
    func suspend() throws

    /// Begins to write again after ``suspend()``.
    ///
    /// It throws immediately if another process writes. The default returns no news. A store that several processes use
    /// implements this method.
    ///
    /// - Returns: What another process has written meanwhile.
    func resume() throws -> StoreNews

    /// Removes all records of all groups.
    func removeAll() throws

    /// Returns the number of bytes that the store uses, and of those that compaction could free.
    func size() throws -> StoreSize
}

extension EntityStore {
    /// Returns no news.
    public func refresh() throws -> StoreNews { .none }

    /// Does nothing.
    public func suspend() throws {}

    /// Returns no news.
    public func resume() throws -> StoreNews { .none }
}

/// How a store is used.
public enum StoreAccess: Hashable, Sendable {
    /// Records are read and written. One process at a time has this access.
    case readWrite
    /// Records are only read, beside a process that writes.
    ///
    /// What the cache itself commits stays in memory, where a limit can evict it as in a cache without a store.
    case readOnly
}

/// A group of records of one kind that belong to one type.
///
/// Two groups with equal names are one group, also if their names are composed of other Unicode scalars.
public struct RecordGroup: Hashable, Sendable {
    /// What the records of a group are.
    public enum Kind: UInt8, Hashable, Sendable, CaseIterable {
        /// Entities under their identifiers.
        case entities = 1
        /// Lists under their names.
        case lists = 2
        /// References under their names.
        case references = 3
        /// What the other records need to be read: names of properties, and the time of an invalidation.
        case schema = 4
        /// Identifiers that have replaced others, under these.
        case replacements = 5
        /// Entities without the changes that only this device has made, under their identifiers. The next entities that come in are
        /// merged with them.
        case mergeBases = 6
    }

    /// The ``Storable/storedName`` of the type.
    public let type: String

    /// What the records are.
    public let kind: Kind

    /// Creates the name of a group.
    ///
    /// - Parameters:
    ///   - kind: What the records are.
    ///   - type: The ``Storable/storedName`` of the type.
    public init(_ kind: Kind, of type: String) {
        self.type = type
        self.kind = kind
    }
}

/// Bytes under a key.
public struct StoredRecord: Hashable, Sendable {
    /// The key, which is unique in its group.
    public let key: ArraySlice<UInt8>

    /// The content.
    public let value: ArraySlice<UInt8>

    /// Creates a record.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - value: The content.
    public init(key: ArraySlice<UInt8>, value: ArraySlice<UInt8>) {
        self.key = key
        self.value = value
    }
}

/// The change of one record.
public struct RecordChange: Hashable, Sendable {
    /// The key of the record.
    public let key: ArraySlice<UInt8>

    /// The new content, or `nil` if the record is removed.
    public let value: ArraySlice<UInt8>?

    /// Creates a change.
    ///
    /// - Parameters:
    ///   - key: The key of the record.
    ///   - value: The new content, or `nil` to remove the record.
    public init(key: ArraySlice<UInt8>, value: ArraySlice<UInt8>?) {
        self.key = key
        self.value = value
    }
}

/// The changes of one commit or of several, which a store keeps whole or not at all.
///
/// It is a sequence of parts that can be iterated once. Each part has a limited number of changes. The parts are made while they
/// are taken.
public struct StoreBatch: Sequence, IteratorProtocol {
    /// Some changes of one group.
    public struct Part: Hashable, Sendable {
        /// The group of the records.
        public let group: RecordGroup

        /// Whether all records of the group are removed before the changes of this part, also those of earlier parts.
        public let removesAll: Bool

        /// The changes, at most one of each key in a batch.
        public let changes: [RecordChange]

        /// Creates a part.
        ///
        /// - Parameters:
        ///   - group: The group of the records.
        ///   - removesAll: Whether all records of the group are removed before.
        ///   - changes: The changes.
        public init(_ group: RecordGroup, removesAll: Bool = false, changes: [RecordChange]) {
            self.group = group
            self.removesAll = removesAll
            self.changes = changes
        }
    }

    private let makeNext: () -> Part?

    /// Creates a batch.
    ///
    /// - Parameter next: Returns the next part, or `nil` at the end.
    public init(_ next: @escaping () -> Part?) {
        makeNext = next
    }

    /// Creates a batch of parts.
    ///
    /// - Parameter parts: The parts.
    public init(_ parts: [Part]) {
        var rest = parts[...]
        makeNext = { rest.popFirst() }
    }

    /// Returns the next part, or `nil` at the end.
    public mutating func next() -> Part? { makeNext() }
}

/// What another process has written to a store.
public enum StoreNews: Sendable {
    /// Nothing.
    case none
    /// Batches, in order.
    case batches([[StoreBatch.Part]])
    /// So much that all records must be read again.
    case everything
}

/// The space that a store uses.
public struct StoreSize: Hashable, Sendable {
    /// The number of bytes on disk.
    public var bytes: Int

    /// The number of these bytes that are of replaced and removed records, as far as the store knows.
    public var unusedBytes: Int

    /// Creates a size.
    ///
    /// - Parameters:
    ///   - bytes: The number of bytes on disk.
    ///   - unusedBytes: The number of bytes of replaced and removed records.
    public init(bytes: Int, unusedBytes: Int) {
        self.bytes = bytes
        self.unusedBytes = unusedBytes
    }
}
