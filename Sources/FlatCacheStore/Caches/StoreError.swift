public import FlatCache
public import Foundation

/// The reason why a cache couldn't use its store, or an entity of it.
public enum StoreError: Error, Sendable {
    /// Two types of a cache have the same ``Storable/storedName``.
    case duplicateName(String, first: any Storable.Type, second: any Storable.Type)
    /// A ``Storable/storedVersion`` is negative, or has more than 32 bits.
    case invalidVersion(any Storable.Type)
    /// A ``Storable/storedName`` has more than 65,535 bytes in UTF-8.
    case nameTooLong(any Storable.Type)
    /// The store has entities of a newer version of a type than the one that this program knows.
    case newerVersion(any Storable.Type, stored: Int)
    /// An entity, list or reference can't be read. It stays in the store and isn't in memory.
    ///
    /// `isComplete(_:)` of the type is `false` until all its entities are removed. A removal by the identifier removes
    /// the entity from the store, too.
    case unreadable(any Storable.Type, RecordGroup.Kind, key: String, any Error)
    /// An entity, list or reference can't be written, because its `encode(to:)` throws, or a value is inside more than
    /// 128 others.
    ///
    /// It is left out of its batch, and the store keeps what it had before, also if the entity has replaced all
    /// entities of its type. No limit evicts it meanwhile. It is tried again when it changes, and by each
    /// ``CacheStore/flush()``. Relate entities by identifiers instead of nesting them.
    case unwritable(any Storable.Type, RecordGroup.Kind, key: String, any Error)
    /// The arguments of a mutation of an earlier process can't be decoded. It stays in the store and isn't begun again.
    case unreadableMutation(String, idempotencyKey: String, any Error)
    /// Two types of mutations have the same `StorableMutation.storedName`. Mutations of the second one aren't stored.
    case duplicateMutationName(String, first: any StorableMutation.Type, second: any StorableMutation.Type)
    /// The store has thrown an error.
    case failed(Operation, any Error)
    /// The store was closed.
    case closed
    /// The store is suspended.
    case suspended
    /// The store is open for reading only.
    case readOnly

    /// What a store was used for.
    public enum Operation: String, Hashable, Sendable {
        /// Opening the store.
        case open
        /// Reading entities.
        case read
        /// Writing changes. The cache writes them again later.
        case write
        /// Making the written changes survive a crash.
        case flush
        /// Reading what another process has written.
        case refresh
        /// Letting another process write.
        case suspend
        /// Beginning to write again.
        case resume
        /// Removing everything.
        case erase
    }
}

extension StoreError: CustomStringConvertible, CustomReflectable {
    /// A message that describes the problem and the remedy.
    public var description: String {
        switch self {
        case .duplicateName(let name, let first, let second):
            """
            '\(first)' and '\(second)' have the same stored name '\(name)'. Each stored type needs a name of its own: change the \
            'storedName' of the type that was added last
            """
        case .invalidVersion(let type):
            "The 'storedVersion' of '\(type)' is \(type.storedVersion). Use a number from 0 to 4294967295"
        case .nameTooLong(let type):
            "The 'storedName' of '\(type)' has \(type.storedName.utf8.count) bytes in UTF-8. Use a name of at most 65535 bytes"
        case .newerVersion(let type, let stored):
            """
            The store has entities of version \(stored) of '\(type.storedName)', and this program knows version \
            \(type.storedVersion). Update the program; nothing was changed in the store
            """
        case .unreadable(let type, let kind, let key, let error):
            """
            \(kind.noun(of: type)) \(key) can't be read from the store: \(error). It stays in the store. Read it by \
            'migrate(_:from:)' of a new 'storedVersion', or store it again
            """
        case .unwritable(let type, let kind, let key, let error):
            "\(kind.noun(of: type)) \(key) can't be written to the store, which keeps what it had before: \(error)"
        case .unreadableMutation(let name, let idempotencyKey, let error):
            """
            The arguments of the pending mutation '\(name)' \(idempotencyKey) can't be decoded: \(error). It stays in the store. \
            Let 'init(from:)' of its type decode them, or remove it by 'discard'
            """
        case .duplicateMutationName(let name, let first, let second):
            """
            '\(first)' and '\(second)' have the same stored name '\(name)'. Each type of mutations needs a name of its own. \
            Mutations of '\(second)' aren't stored
            """
        case .failed(let operation, let error):
            operation == .write
                ? "The store has failed to write. The changes remain in memory and are written again later: \(error)"
                : "The store has failed to \(operation.rawValue): \(error)"
        case .closed:
            "The store was closed. Create a cache by 'FlatCache(store:for:)' to use it again"
        case .suspended:
            "The store is suspended, so that another process can write. Call 'resume()' before"
        case .readOnly:
            "The store is open for reading only. Create the cache without 'access: .readOnly' to change the store"
        }
    }

    /// No members, so that `dump` prints the message alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension StoreError {
    /// Writes the message to the standard error of the process.
    @usableFromInline func writeToStandardError() { FileHandle.standardError.write(Data("FlatCache: \(self)\n".utf8)) }
}

extension StoreError: LocalizedError {
    /// The same as the description.
    public var errorDescription: String? { description }
}

extension RecordGroup.Kind {
    /// What a record is, for messages.
    fileprivate func noun(of type: any Storable.Type) -> String {
        switch self {
        case .entities where type == StoredMutation.self: "The pending mutation"
        case .entities: "The entity '\(type.storedName)'"
        case .lists: "The list of '\(type.storedName)'"
        case .references: "The reference to '\(type.storedName)'"
        case .replacements: "The replacement of the identifier of '\(type.storedName)'"
        case .mergeBases: "The entity without unconfirmed changes of '\(type.storedName)'"
        case .schema: "The schema of '\(type.storedName)'"
        }
    }
}
