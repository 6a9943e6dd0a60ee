import Foundation
import SeededRandom

@testable import FlatCacheStore

/// A file system in memory that knows what was synced, and that can fail or crash at any call.
///
/// It has one folder. Names that are created, replaced or removed survive a crash only after a sync of the folder, and
/// bytes only after a sync of their file.
@dynamicMemberLookup
final class SimulatedFileSystem: FileSystem, @unchecked Sendable {  // All state is guarded by `lock`.
    /// What happens at a call.
    enum Fault {
        /// This call fails with this code, once.
        ///
        /// A write writes half of its bytes. A sync forgets what it should have synced.
        case failure(atCall: Int, Int32)
        /// This call and all later ones fail: the system has crashed.
        case crash(atCall: Int)
    }

    /// What of that which was not synced survives a crash.
    enum Survival: CaseIterable {
        case nothing, everything, random
    }

    struct Crash: Error {}

    /// What happens at calls, and what has happened.
    struct Script {
        var fault: Fault?
        /// The bytes that all files can have together.
        var capacity = Int.max
        /// Whether calls are counted and can fail.
        var isCounting = true
        /// Is called before each call with its number, on the thread that calls.
        ///
        /// The calls that it makes are not counted.
        var onCall: ((Int) -> Void)?
        /// Is called after each sync of a file.
        var onSync: (() -> Void)?
        /// The number of calls so far.
        var calls = 0
        var longestWrite = 0
    }

    private let lock = NSRecursiveLock()
    private var script = Script()
    private var names: [String: Inode] = [:]
    private var syncedNames: [String: Inode] = [:]
    private var nameChanges: [NameChange] = []
    private var isLocked = false

    subscript<Value>(dynamicMember member: WritableKeyPath<Script, Value>) -> Value {
        get { lock.withLock { script[keyPath: member] } }
        set { lock.withLock { script[keyPath: member] = newValue } }
    }

    /// The files by name.
    ///
    /// Those that are set are synced.
    var files: [String: [UInt8]] {
        get { lock.withLock { names.mapValues(\.bytes) } }
        set {
            lock.withLock {
                names = newValue.mapValues(Inode.init)
                syncedNames = names
                nameChanges = []
            }
        }
    }

    /// The log with the highest number, as its name and bytes.
    var lastLog: (name: String, bytes: [UInt8])? {
        let number = files.keys.compactMap(FileFormat.logNumber).max()
        return number.map(FileFormat.logName).map { ($0, files[$0] ?? []) }
    }

    init(_ files: [String: [UInt8]] = [:]) {
        self.files = files
    }

    private enum NameChange {
        case set(String, Inode)
        case rename(String, String, Inode)
        case remove(String)

        func apply(to names: inout [String: Inode]) {
            switch self {
            case .set(let name, let inode): names[name] = inode
            case .rename(let name, let newName, let inode):
                names[name] = nil
                names[newName] = inode
            case .remove(let name): names[name] = nil
            }
        }
    }

    /// Whether the system has crashed.
    var hasCrashed: Bool {
        if case .crash(let call) = self.fault { self.calls > call } else { false }
    }

    /// Returns the file system after a crash.
    func afterCrash(_ survival: Survival, _ random: inout SeededGenerator) -> SimulatedFileSystem {
        let result = SimulatedFileSystem()
        var names = syncedNames
        switch survival {
        case .nothing: break
        case .everything: names = self.names
        case .random: for change in nameChanges where random.below(2) == 0 { change.apply(to: &names) }
        }
        for (name, inode) in names {
            result.names[name] = Inode(inode.bytes(after: survival, &random))
        }
        result.syncedNames = result.names
        return result
    }

    // MARK: - Calls

    /// Counts a call, and throws an error if it fails.
    fileprivate func call(_ operation: String, _ path: String, orFail partly: () -> Void = {}) throws {
        if self.isCounting, let onCall = self.onCall {
            self.isCounting = false
            onCall(self.calls)
            self.isCounting = true
        }
        lock.lock()
        defer { lock.unlock() }
        if !script.isCounting { return }
        script.calls += 1
        switch script.fault {
        case .crash(let call) where script.calls > call:
            partly()
            throw Crash()
        case .failure(let call, let code) where script.calls == call + 1:
            partly()
            throw FileStoreError.failed(operation: operation, file: path, code: code)
        default: break
        }
    }

    private func name(_ path: String) -> String { String(path.split(separator: "/").last ?? "") }

    private func inode(_ path: String) throws -> Inode {
        guard let inode = names[name(path)] else {
            throw FileStoreError.failed(operation: "open", file: path, code: ENOENT)
        }
        return inode
    }

    func createFolder(_ path: String) throws { try call("create the folder", path) }

    func names(in folder: String) throws -> [String] {
        try call("list the folder", folder)
        return lock.withLock { names.keys.sorted() }
    }

    func open(_ path: String, for use: FileUse) throws -> any StoreFile {
        try call("open", path)
        return try lock.withLock {
            if use == .creating {
                if let inode = names[name(path)] {
                    inode.change(.truncate(0))
                } else {
                    change(.set(name(path), Inode([])))
                }
            }
            return SimulatedFile(try inode(path), path, self)
        }
    }

    func rename(_ path: String, to newPath: String) throws {
        try call("rename", path)
        try lock.withLock { change(.rename(name(path), name(newPath), try inode(path))) }
    }

    func remove(_ path: String) throws {
        try call("remove", path)
        try lock.withLock {
            _ = try inode(path)
            change(.remove(name(path)))
        }
    }

    func syncFolder(_ path: String) throws {
        try call("sync the folder", path)
        lock.withLock {
            syncedNames = names
            nameChanges = []
        }
    }

    func lock(_ path: String, of folder: String) throws -> any FolderLock {
        try call("lock", path)
        return try lock.withLock {
            if names[name(path)] == nil { change(.set(name(path), Inode([]))) }
            if isLocked { throw FileStoreError.inUse(folder: folder) }
            isLocked = true
            return SimulatedLock(self)
        }
    }

    private func change(_ change: NameChange) {
        nameChanges.append(change)
        change.apply(to: &names)
    }

    fileprivate func unlock() { lock.withLock { isLocked = false } }

    fileprivate func write(_ bytes: [UInt8], at offset: Int, _ inode: Inode, _ path: String) throws {
        try call("write", path) { inode.change(.write(offset, Array(bytes.prefix(bytes.count / 2)))) }
        try lock.withLock {
            script.longestWrite = max(script.longestWrite, bytes.count)
            let free = script.capacity - names.values.reduce(0) { $0 + $1.bytes.count }
            if max(0, offset + bytes.count - inode.bytes.count) > free {
                throw FileStoreError.failed(operation: "write", file: path, code: ENOSPC)
            }
            inode.change(.write(offset, bytes))
        }
    }

    fileprivate func withInode<Result>(_ body: () -> Result) -> Result { lock.withLock(body) }
}

private final class SimulatedFile: StoreFile, @unchecked Sendable {  // The inode is guarded by the lock of the system.
    private let inode: Inode
    private let path: String
    private let system: SimulatedFileSystem

    init(_ inode: Inode, _ path: String, _ system: SimulatedFileSystem) {
        self.inode = inode
        self.path = path
        self.system = system
    }

    func size() throws -> Int {
        try system.call("get the size of", path)
        return system.withInode { inode.bytes.count }
    }

    func read(into bytes: UnsafeMutableRawBufferPointer, at offset: Int) throws -> Int {
        try system.call("read", path)
        return system.withInode {
            guard offset < inode.bytes.count else { return 0 }
            let part = inode.bytes[offset..<min(inode.bytes.count, offset + bytes.count)]
            bytes.copyBytes(from: part)
            return part.count
        }
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws {
        try system.write(Array(bytes), at: offset, inode, path)
    }

    func truncate(to size: Int) throws {
        try system.call("truncate", path)
        system.withInode { inode.change(.truncate(size)) }
    }

    func sync() throws {
        try system.call("sync", path) { inode.forgetChanges() }
        system.withInode { inode.sync() }
        system.onSync?()
    }
}

private final class SimulatedLock: FolderLock {
    private let system: SimulatedFileSystem

    init(_ system: SimulatedFileSystem) {
        self.system = system
    }

    func isInPlace() -> Bool { true }

    deinit { system.unlock() }
}
