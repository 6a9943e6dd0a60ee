/// The calls of a file system that a ``FileStore`` uses.
///
/// Tests replace it by one that fails, or that forgets what was not synced. All methods throw a ``FileStoreError``, and
/// may be called from several threads.
protocol FileSystem: Sendable {
    /// Creates a folder and the folders above it, unless it exists.
    func createFolder(_ path: String) throws

    /// Returns the names of the files of a folder.
    func names(in folder: String) throws -> [String]

    /// Opens a file.
    func open(_ path: String, for use: FileUse) throws -> any StoreFile

    /// Gives a file another name, replacing a file of this name.
    func rename(_ path: String, to newPath: String) throws

    /// Removes a file.
    func remove(_ path: String) throws

    /// Makes the names of a folder's files survive a crash.
    func syncFolder(_ path: String) throws

    /// Takes the lock of a file, creating the file if necessary, and throws ``FileStoreError/inUse(folder:)`` if
    /// another has it.
    ///
    /// The lock is released with the last reference to the result, or when the process ends.
    func lock(_ path: String, of folder: String) throws -> any FolderLock
}

/// For what a file is opened.
enum FileUse {
    /// The file exists and is read.
    case reading
    /// The file exists, and is read and written.
    case writing
    /// The file is created, or emptied if it exists.
    case creating
}

/// An open file, which is closed with the last reference to it.
protocol StoreFile: AnyObject, Sendable {
    /// Returns the number of bytes.
    func size() throws -> Int

    /// Reads bytes, fewer than requested only at the end of the file.
    ///
    /// - Returns: How many bytes were read.
    func read(into bytes: UnsafeMutableRawBufferPointer, at offset: Int) throws -> Int

    /// Writes bytes.
    ///
    /// If it throws, some of them may be written.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws

    /// Removes all bytes from an offset on.
    func truncate(to size: Int) throws

    /// Makes the bytes survive a crash of the system.
    func sync() throws
}

/// A lock that is held until the last reference to it is gone.
protocol FolderLock: AnyObject, Sendable {
    /// Returns whether the file of the lock is still the one that its path names, so that nobody else can have the lock.
    func isInPlace() throws -> Bool
}
