public import Foundation

/// The reason why a ``FileStore`` could not do something.
///
/// An error has changed nothing in the store, except that a failed write may use space until the next write.
public enum FileStoreError: Error, Sendable {
    /// Something of the files that is damaged.
    public enum Damage: Hashable, Sendable {
        /// The manifest, which names the logs.
        case manifest
        /// The manifest doesn't exist, but logs do.
        case missingManifest
        /// A log that the manifest names doesn't exist.
        case missingLog
        /// The first bytes of a log.
        case header
        /// A batch in a log.
        case batch
        /// The records of a batch whose checksum is right.
        case records
    }

    /// The system could not access a file.
    ///
    /// `code` is its `errno`.
    case failed(operation: String, file: String, code: Int32)
    /// A file is damaged from `offset` on.
    case damaged(file: String, offset: Int, Damage)
    /// A file has a format that this version of the library doesn't know.
    case newerFormat(file: String, version: Int)
    /// Another store or process has the folder open for writing.
    case inUse(folder: String)
    /// The lock file of the folder was removed or replaced while the store was open, so another one can write the folder.
    case unlocked(folder: String)
    /// The URL of the folder isn't that of a file.
    case noFileURL(URL)
    /// There is no store in the folder, and it was opened for reading.
    case missing(folder: String)
    /// The store is not open.
    case notOpen(folder: String)
    /// The store is open, and the operation needs that it isn't.
    case alreadyOpen(folder: String)
    /// The store is open for reading only.
    case readOnly(folder: String)
    /// The store is suspended.
    case suspended(folder: String)
    /// The calling thread is writing a batch or compacting: a closure of the batch, its types or the sealing has called a method
    /// that writes or waits for the end.
    case writing(folder: String)
    /// The records at `offset` are sealed, and the store was made without ``FileStore/Sealing``.
    case sealed(file: String, offset: Int)
    /// The closure that opens sealed bytes threw an error, for example because the key is wrong.
    case unsealingFailed(file: String, offset: Int, any Error)
    /// The closure that seals bytes threw an error.
    case sealingFailed(file: String, any Error)
    /// A record, or the name of a type, has too many bytes.
    case tooLarge(type: String, bytes: Int, limit: Int)
}

extension FileStoreError {
    /// Whether the reason is that a file or folder doesn't exist.
    var isMissingFile: Bool {
        if case .failed(_, _, ENOENT) = self { true } else { false }
    }
}

extension FileStoreError: CustomStringConvertible, CustomReflectable {
    /// A message that describes the problem, the file and the remedy.
    public var description: String {
        switch self {
        case .failed(let operation, let file, let code):
            "Can't \(operation) '\(file)': \(Self.text(of: code)). \(Self.remedy(for: code))"
        case .damaged(let file, let offset, let damage):
            """
            \(damage.description), in '\(file)' at offset \(offset). Nothing was changed. Call 'salvage()' on a store that \
            isn't open to keep what is before the damage, or 'erase()' to begin again
            """
        case .newerFormat(let file, let version):
            """
            '\(file)' has format \(version), and this version of FlatCache reads formats up to \(FileFormat.version). Nothing \
            was changed. Update FlatCache, or use another folder
            """
        case .inUse(let folder):
            """
            The store in '\(folder)' is already open for writing, here or in another process. Close or suspend the other, or \
            open this one with '.readOnly'
            """
        case .unlocked(let folder):
            """
            The file 'lock' of the store in '\(folder)' was removed or replaced, so another process may write there. Nothing was \
            changed. Close the store and open it again, and leave the file as long as a store is open
            """
        case .noFileURL(let url):
            "'\(url.absoluteString)' is not a file URL. Create the store with 'URL(filePath:)'"
        case .missing(let folder):
            """
            There is no store in '\(folder)'. Open it with '.readWrite' once to create it, or check that the folder was not \
            moved or removed
            """
        case .notOpen(let folder):
            "The store in '\(folder)' is not open. Call 'open(_:)' before"
        case .alreadyOpen(let folder):
            "The store in '\(folder)' is already open. Call 'close()' before"
        case .readOnly(let folder):
            "The store in '\(folder)' is open for reading only. Open it with '.readWrite' to change it"
        case .suspended(let folder):
            "The store in '\(folder)' is suspended. Call 'resume()' before"
        case .writing(let folder):
            """
            The store in '\(folder)' is writing on this thread. Don't write in closures that it calls, such as \
            'encode(to:)' and 'seal'
            """
        case .sealed(let file, let offset):
            """
            The records in '\(file)' at offset \(offset) are sealed. Create the store with the 'sealing' with which they were \
            written
            """
        case .unsealingFailed(let file, let offset, let error):
            """
            The records in '\(file)' at offset \(offset) can't be unsealed: \(error). Nothing was changed. Open the store with \
            the key with which they were written
            """
        case .sealingFailed(let file, let error):
            "The records for '\(file)' can't be sealed: \(error). Check the closure 'seal' of the store's 'sealing'"
        case .tooLarge(let type, let bytes, let limit):
            "A record of '\(type)', or this name, has \(bytes) bytes, and the limit is \(limit). Divide it"
        }
    }

    private static func text(of code: Int32) -> String { String(cString: strerror(code)) }

    private static func remedy(for code: Int32) -> String {
        switch code {
        case ENOSPC, EDQUOT: "Free space, and write again"
        case EACCES, EPERM: "Check the permissions of the folder"
        case EROFS: "Use a folder that can be written"
        case EMFILE, ENFILE: "Close other files, and try again"
        case ENOENT: "Check that the folder was not moved or removed"
        case ENOTSUP: "It isn't a file. Move it away, or use another folder for the store"
        case EISDIR: "Move this folder away, or use another one for the store"
        case EFBIG: "Raise the limit on the size of files, and write again"
        default: "Check the volume, and try again"
        }
    }

    /// No members, so that `dump` prints the message alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension FileStoreError: LocalizedError {
    /// The same as ``description``.
    public var errorDescription: String? { description }
}

extension FileStoreError.Damage: CustomStringConvertible {
    /// A sentence that describes the damage.
    public var description: String {
        switch self {
        case .manifest: "The manifest of the store is damaged"
        case .missingManifest: "The manifest of the store is missing, but logs are there"
        case .missingLog: "A log of the store is missing"
        case .header: "The header of a log is damaged"
        case .batch: "A batch of the store is damaged"
        case .records: "The records of a batch have no valid form, although their checksum is right"
        }
    }
}
