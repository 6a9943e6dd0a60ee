import Foundation

/// The lock of a folder that a process writes.
///
/// `flock` excludes other processes, and the kernel releases it if the process dies. On network file systems it is a
/// lock of the whole process, which doesn't exclude a second store in the same one. So the process keeps a registry,
/// too.
final class PosixFolderLock: FolderLock {
    private let file: PosixFile
    private let identity: FileIdentity

    /// Takes a lock.
    ///
    /// - Parameters:
    ///   - file: The file to lock.
    ///   - folder: The folder, for the error if another store has the lock.
    init(_ file: PosixFile, of folder: String) throws {
        let identity = try FileIdentity(of: file)
        guard OpenFolders.insert(identity) else { throw FileStoreError.inUse(folder: folder) }
        while flock(file.descriptor, LOCK_EX | LOCK_NB) != 0 {
            let code = errno
            if code == EINTR { continue }
            OpenFolders.remove(identity)
            if code == EWOULDBLOCK { throw FileStoreError.inUse(folder: folder) }
            throw FileStoreError.failed(operation: "lock", file: folder, code: code)
        }
        // Last, because an error after it would run `deinit`, which releases what another store has.
        self.file = file
        self.identity = identity
    }

    func isInPlace() throws -> Bool { try FileIdentity(at: file.path) == identity }

    deinit {
        // Before the registry, so that a store that gets the entry gets the lock, too.
        flock(file.descriptor, LOCK_UN)
        OpenFolders.remove(identity)
    }
}

/// The numbers by which the system knows a file, whatever its path.
private struct FileIdentity: Hashable {
    let device: UInt64
    let number: UInt64

    init(of file: PosixFile) throws {
        var status = stat()
        guard fstat(file.descriptor, &status) == 0 else {
            throw FileStoreError.failed(operation: "lock", file: file.path, code: errno)
        }
        self.init(status)
    }

    /// Returns `nil` if there is no file.
    init?(at path: String) throws {
        var status = stat()
        if stat(path, &status) != 0 {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw FileStoreError.failed(operation: "find", file: path, code: errno)
        }
        self.init(status)
    }

    private init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
    }
}

/// The folders that stores of this process write.
private enum OpenFolders {
    private static let lock = NSLock()
    nonisolated(unsafe) private static var identities: Set<FileIdentity> = []  // Guarded by `lock`.

    /// Returns whether a folder was not open.
    static func insert(_ identity: FileIdentity) -> Bool {
        lock.withLock { identities.insert(identity).inserted }
    }

    static func remove(_ identity: FileIdentity) {
        lock.withLock { _ = identities.remove(identity) }
    }
}
