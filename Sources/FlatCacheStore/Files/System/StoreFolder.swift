import Foundation

/// The folder of a store, with the operations on its files by name.
struct StoreFolder: Sendable {
    let path: String
    let system: any FileSystem

    init(_ url: URL, system: any FileSystem) {
        // Without a slash at the end, so that its parent ends before the last slash.
        let path = url.standardizedFileURL.path
        self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        self.system = system
    }

    /// Returns the path of a file.
    func path(_ name: String) -> String { "\(path)/\(name)" }

    func open(_ name: String, for use: FileUse) throws -> any StoreFile { try system.open(path(name), for: use) }

    func names() throws -> [String] { try system.names(in: path) }

    func sync() throws { try system.syncFolder(path) }

    func lock() throws -> any FolderLock { try system.lock(path(FileFormat.lockName), of: path) }

    /// Removes files, and leaves those that can't be removed.
    ///
    /// Files that nothing names do no harm. The next opening removes them.
    func removeIfPossible(_ names: some Sequence<String>) {
        for name in names { try? system.remove(path(name)) }
    }

    /// Creates a file that replaces one of the same name when it is complete and synced.
    ///
    /// - Parameters:
    ///   - name: The name of the file.
    ///   - write: Writes the file.
    func replace<Result>(_ name: String, _ write: (any StoreFile) throws -> Result) throws -> Result {
        let incomplete = name + FileFormat.incompleteSuffix
        do {
            let file = try open(incomplete, for: .creating)
            let result = try write(file)
            try file.sync()
            try system.rename(path(incomplete), to: path(name))
            try sync()
            return result
        } catch {
            removeIfPossible([incomplete])
            throw error
        }
    }

    /// Returns the first bytes of a file.
    private func contents(of name: String, limit: Int) throws -> [UInt8] {
        let file = try open(name, for: .reading)
        let size = try min(file.size(), limit)
        return try [UInt8](unsafeUninitializedCapacity: size) { target, count in
            let bytes = UnsafeMutableRawBufferPointer(start: target.baseAddress, count: size)
            count = try file.read(into: bytes, at: 0)
        }
    }

    /// Returns the manifest, or `nil` if there is no store.
    func manifest() throws -> Manifest? {
        let bytes: [UInt8]
        do {
            // More than any manifest has, so that a damaged size reserves no memory.
            bytes = try contents(of: FileFormat.manifestName, limit: 1 << 20)
        } catch let error as FileStoreError where error.isMissingFile {
            return nil
        }
        return try bytes.withUnsafeBytes { try Manifest($0, path: path(FileFormat.manifestName)) }
    }

    func write(_ manifest: Manifest) throws {
        try replace(FileFormat.manifestName) { file in
            try manifest.bytes.withUnsafeBytes { try file.write($0, at: 0) }
        }
    }
}
