#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// The file system of the operating system.
struct PosixFileSystem: FileSystem {
    func createFolder(_ path: String) throws {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        let code = errno
        guard code == ENOENT, let end = path.lastIndex(of: "/"), end != path.startIndex else {
            throw FileStoreError.failed(operation: "create the folder", file: path, code: code)
        }
        try createFolder(String(path[..<end]))
        try check(mkdir(path, 0o700), "create the folder", path)
    }

    func names(in folder: String) throws -> [String] {
        guard let listing = opendir(folder) else { throw failure("list the folder", folder) }
        defer { closedir(listing) }
        var names: [String] = []
        while let entry = readdir(listing) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names
    }

    func open(_ path: String, for use: FileUse) throws -> any StoreFile {
        switch use {
        case .reading: try PosixFile(path, O_RDONLY)
        case .writing: try PosixFile(path, O_RDWR)
        case .creating: try PosixFile(path, O_RDWR | O_CREAT | O_TRUNC)
        }
    }

    func rename(_ path: String, to newPath: String) throws {
        try check(renameFile(path, newPath), "rename", path)
    }

    func remove(_ path: String) throws {
        try check(unlink(path), "remove", path)
    }

    func syncFolder(_ path: String) throws {
        try PosixFile(path, O_RDONLY).syncNames()
    }

    func lock(_ path: String, of folder: String) throws -> any FolderLock {
        while true {
            let lock = try PosixFolderLock(PosixFile(path, O_RDWR | O_CREAT), of: folder)
            // The file can have been removed before it was locked.
            if try lock.isInPlace() { return lock }
        }
    }
}

/// An open file of the operating system.
final class PosixFile: StoreFile {
    let descriptor: Int32
    let path: String

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - flags: The flags of the system call `open`.
    init(_ path: String, _ flags: Int32) throws {
        self.path = path
        descriptor = try repeatingIfInterrupted {
            // A pipe would wait for another process.
            openFile(path, flags | O_CLOEXEC | O_NONBLOCK)
        } orFail: {
            failure("open", path)
        }
        var status = stat()
        try check(fstat(descriptor, &status), "open", path)
        let type = UInt32(status.st_mode) & UInt32(S_IFMT)
        guard type == UInt32(S_IFREG) || type == UInt32(S_IFDIR) else {
            throw FileStoreError.failed(operation: "open", file: path, code: ENOTSUP)
        }
    }

    deinit { closeFile(descriptor) }

    func size() throws -> Int {
        var status = stat()
        try check(fstat(descriptor, &status), "get the size of", path)
        return Int(status.st_size)
    }

    func read(into bytes: UnsafeMutableRawBufferPointer, at offset: Int) throws -> Int {
        var done = 0
        while let base = bytes.baseAddress, done < bytes.count {
            let count = try repeatingIfInterrupted {
                pread(descriptor, base + done, bytes.count - done, off_t(offset + done))
            } orFail: {
                failure("read", path)
            }
            if count == 0 { break }
            done += count
        }
        return done
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws {
        var done = 0
        while let base = bytes.baseAddress, done < bytes.count {
            done += try repeatingIfInterrupted {
                pwrite(descriptor, base + done, bytes.count - done, off_t(offset + done))
            } orFail: {
                failure("write", path)
            }
        }
    }

    func truncate(to size: Int) throws {
        try check(ftruncate(descriptor, off_t(size)), "truncate", path)
    }

    /// Makes the names of the files of a folder survive a crash.
    ///
    /// Apple's full sync isn't for folders.
    func syncNames() throws {
        try check(fsync(descriptor), "sync the folder", path)
    }

    func sync() throws {
        #if canImport(Darwin)
        // `fsync` leaves the bytes in the memory of the drive. Some file systems have no full sync.
        if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        try check(fsync(descriptor), "sync", path)
        #else
        // The times of the file aren't needed after a crash; its size is synced.
        try check(fdatasync(descriptor), "sync", path)
        #endif
    }
}

private func failure(_ operation: String, _ path: String) -> FileStoreError {
    .failed(operation: operation, file: path, code: errno)
}

private func check(_ result: Int32, _ operation: String, _ path: String) throws {
    if result != 0 { throw failure(operation, path) }
}

/// Repeats a system call while a signal interrupts it.
private func repeatingIfInterrupted<Result: SignedInteger>(
    _ call: () -> Result,
    orFail error: () -> FileStoreError
) throws -> Result {
    while true {
        let result = call()
        if result >= 0 { return result }
        if errno != EINTR { throw error() }
    }
}

// Methods of the same names hide the system calls.

private func openFile(_ path: String, _ flags: Int32) -> Int32 { open(path, flags, 0o600) }

private func renameFile(_ path: String, _ newPath: String) -> Int32 { rename(path, newPath) }

private func closeFile(_ descriptor: Int32) { _ = close(descriptor) }
