import Dispatch
internal import FlatCache
public import Foundation

/// A store of records in the files of a folder.
///
///     let store = FileStore(at: folder)
///     try FlatCache.setShared(try await FlatCache(store: store, for: Post.self, Author.self))
///
/// A folder belongs to one store. Its files are append-only logs of batches. Where a record is stands in memory, so
/// that an open store reads any record with one access, and needs some 50 bytes and its key for each, or about 100
/// bytes in all for a key of 18 bytes. When more than half of the logs is of replaced and removed records, the store
/// copies the others to a new log in the background.
///
/// ## After a crash
///
/// A batch is there whole or not at all, and so is every batch before it. What survives is said by ``SyncPolicy``. A
/// tail that was not synced may be torn: ``open(_:)`` cuts it at the last whole batch, and ``openingReport`` has what
/// was cut. Damage of what was synced is an error with file and offset; ``salvage()`` keeps what is before the damage.
///
/// If a process has ended without ``close()``, damage of its last batch looks the same as a torn tail, and is cut, too.
/// If something else has cut the files of a closed store, such as a copy that isn't complete, it can open with an
/// earlier state.
///
/// ## While it is open
///
/// Leave the files to the store. If its folder is moved or removed, each batch fails until the store is closed and
/// opened again, and the folder isn't created again before. It is the same if the file `lock` is removed or replaced,
/// because then another process can write the folder. A log that other software cuts or removes isn't noticed before
/// the next opening.
///
/// ## Several processes
///
/// One store writes a folder. Others may read it at the same time, in this process or another, and move on by
/// ``refresh()``. The store that writes gives the folder away by ``suspend()``. Changes of two processes aren't merged.
///
/// ## Threads
///
/// All methods may be called from any thread. Closures of reads may call all methods. While a batch is written, its parts are
/// taken and sealed without a lock: these closures may read, and methods that write throw ``FileStoreError/writing(folder:)``
/// on their thread. Closures that seal for a compaction may also write, and methods that would wait for its end throw the same
/// error. Closures that unseal must not call the store.
public final class FileStore: EntityStore, @unchecked Sendable {  // `state` is guarded by `lock`.
    /// The folder of the store.
    public let url: URL

    let folder: StoreFolder
    let sync: SyncPolicy
    let sealing: Sealing?
    let attributes: FolderAttributes
    let tuning: Tuning

    /// Guards `state`.
    ///
    /// It is not held while compaction, reads and writes access files, nor during a sync by ``flush()``.
    let lock = NSLock()
    var state = State.closed
    /// Is held while logs are synced, so that the error of one sync isn't reported to another one.
    ///
    /// It is taken before `turn`.
    let syncLock = NSLock()
    /// Is taken before `lock`.
    let turn = WriteTurn()
    /// Runs compactions one after the other.
    let compactionQueue = DispatchQueue(label: "FlatCache.FileStore.compaction", qos: .utility)
    /// Is taken by the compaction that runs, so that a closure that it calls doesn't wait for its end.
    let compactionTurn = WriteTurn()

    /// Creates a store, without accessing the folder.
    ///
    /// - Parameters:
    ///   - url: The folder, which ``open(_:)`` creates if necessary. It should have no other files, because the store
    ///     may remove files whose names it uses, such as `log-1`, `log-2.new`, `damaged-1` or `manifest`.
    ///   - sync: When written batches survive a crash of the system.
    ///   - sealing: Closures that encrypt and decrypt what is written, or `nil` to write it as it is.
    ///   - protection: When the files can be read on a locked device. Apple's systems only.
    ///   - isExcludedFromBackup: Whether the folder isn't backed up, because a cache can be fetched again. Apple's
    ///     systems only.
    public convenience init(
        at url: URL,
        sync: SyncPolicy = .onFlush,
        sealing: Sealing? = nil,
        protection: Protection = .untilFirstUnlock,
        isExcludedFromBackup: Bool = true
    ) {
        self.init(
            at: url,
            sync: sync,
            sealing: sealing,
            attributes: FolderAttributes(protection: protection, isExcludedFromBackup: isExcludedFromBackup),
            system: PosixFileSystem(),
            tuning: Tuning()
        )
    }

    init(
        at url: URL,
        sync: SyncPolicy,
        sealing: Sealing?,
        attributes: FolderAttributes,
        system: any FileSystem,
        tuning: Tuning
    ) {
        self.url = url
        self.sync = sync
        self.sealing = sealing
        self.attributes = attributes
        self.tuning = tuning
        folder = StoreFolder(url, system: system)
    }

    /// What ``open(_:)`` or ``resume()`` has cut, or `nil` if the store isn't open.
    public var openingReport: OpeningReport? {
        lock.withLock { state.open?.report }
    }

    /// The last error of a compaction or sync in the background since the store was opened, or `nil` if there was none.
    ///
    /// Nothing is lost by it: the logs that were there before remain, and the next ``flush()`` syncs again or throws an
    /// error.
    public var backgroundError: (any Error)? {
        lock.withLock { state.open?.backgroundError }
    }
}

extension FileStore: CustomStringConvertible, CustomReflectable {
    /// A line with the path of the folder: `FileStore("/caches/blog")`.
    public var description: String { Summary.line("FileStore", String(reflecting: url.path)) }

    /// No members, so that `dump` prints the line alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
