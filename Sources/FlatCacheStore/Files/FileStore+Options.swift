extension FileStore {
    /// When a store makes written batches survive a crash of the system.
    ///
    /// Batches are lost from the newest to older ones, each whole. What is lost at most:
    ///
    /// | Policy | if the process is killed | if the system crashes or loses power |
    /// |---|---|---|
    /// | ``eachBatch`` | nothing that ``FileStore/write(_:)`` has returned for | nothing that ``FileStore/write(_:)`` has returned for |
    /// | ``interval(_:)`` | nothing that ``FileStore/write(_:)`` has returned for | what was written in the last interval, while the disk works |
    /// | ``onFlush`` | nothing that ``FileStore/write(_:)`` has returned for | what was written since the last ``FileStore/flush()`` |
    ///
    /// With every policy, batches for which ``FileStore/flush()`` has returned survive both.
    ///
    /// On Apple's systems a sync is a full one (`F_FULLFSYNC`), which reaches the medium. A barrier would only keep the
    /// order, so it could lose an acknowledged batch.
    public enum SyncPolicy: Hashable, Sendable {
        /// Before a write returns.
        ///
        /// A batch costs a sync, often some milliseconds.
        case eachBatch
        /// At this time after a write, in the background.
        ///
        /// An error of it is repeated by the next ``FileStore/flush()``.
        case interval(Duration)
        /// Only by ``FileStore/flush()``.
        case onFlush
    }

    /// Two closures that encrypt and decrypt what a store writes.
    ///
    ///     let sealing = FileStore.Sealing { bytes in
    ///         try [UInt8](ChaChaPoly.seal(bytes, using: key).combined)
    ///     } open: { bytes in
    ///         try [UInt8](ChaChaPoly.open(ChaChaPoly.SealedBox(combined: bytes), using: key))
    ///     }
    ///
    /// Keys, values and names of types are sealed. Sizes and numbers of batches are not. The checksums are of the
    /// sealed bytes, so the store distinguishes damage from a wrong key.
    ///
    /// The closures are called from several threads, also at the same time. One that seals may read from the store. One that
    /// unseals must not call it.
    public struct Sealing: Sendable {
        let seal: @Sendable (ArraySlice<UInt8>) throws -> [UInt8]
        let open: @Sendable (ArraySlice<UInt8>) throws -> [UInt8]

        /// Creates a pair of closures.
        ///
        /// - Parameters:
        ///   - seal: Encrypts bytes. At most some 100 kB at a time, if no record is larger.
        ///   - open: Decrypts bytes, and throws an error if they were not encrypted with this key. Use authenticated
        ///     encryption, because bytes that are decrypted with a wrong key without an error are reported as damage.
        public init(
            seal: @escaping @Sendable (ArraySlice<UInt8>) throws -> [UInt8],
            open: @escaping @Sendable (ArraySlice<UInt8>) throws -> [UInt8]
        ) {
            self.seal = seal
            self.open = open
        }
    }

    /// When the files of a store can be read on a device that is locked with a passcode.
    ///
    /// It has an effect on Apple's systems only.
    public enum Protection: Hashable, Sendable {
        /// After the device was unlocked once since its start, so that an app can use the store in the background.
        case untilFirstUnlock
        /// While the device is unlocked, and longer for files that are open.
        case unlessOpen
        /// While the device is unlocked.
        ///
        /// In the background the operations of a store throw errors.
        case complete
        /// Always.
        case none
    }
}

extension FileStore.Sealing: CustomStringConvertible, CustomReflectable {
    /// The name of the type, without the closures.
    public var description: String { "FileStore.Sealing" }

    /// No members, so that `dump` prints the line alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
