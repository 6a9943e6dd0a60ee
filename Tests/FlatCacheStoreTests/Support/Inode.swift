import SeededRandom

/// The content of a file of a simulated file system, and what of it is synced.
final class Inode {
    enum Change {
        case write(Int, [UInt8])
        case truncate(Int)

        func apply(to bytes: inout [UInt8]) {
            switch self {
            case .write(let offset, let new):
                let missing = offset + new.count - bytes.count
                if missing > 0 { bytes += repeatElement(0, count: missing) }
                bytes.replaceSubrange(offset..<offset + new.count, with: new)
            case .truncate(let size):
                if size < bytes.count { bytes.removeSubrange(size...) }
            }
        }
    }

    private(set) var bytes: [UInt8]
    private var synced: [UInt8]
    private var changes: [Change] = []

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        synced = bytes
    }

    func change(_ change: Change) {
        changes.append(change)
        change.apply(to: &bytes)
    }

    func sync() {
        for change in changes { change.apply(to: &synced) }
        changes = []
    }

    /// Takes what was not synced for synced, as systems do when a sync fails.
    func forgetChanges() { changes = [] }

    func bytes(after survival: SimulatedFileSystem.Survival, _ random: inout SeededGenerator) -> [UInt8] {
        switch survival {
        case .nothing: return synced
        case .everything: return bytes
        case .random:
            var result = synced
            for change in changes where random.below(3) > 0 { change.torn(&random).apply(to: &result) }
            return result
        }
    }
}

extension Inode.Change {
    /// Returns the change, or a part of it.
    fileprivate func torn(_ random: inout SeededGenerator) -> Inode.Change {
        guard case .write(let offset, let bytes) = self, bytes.count > 1, random.below(2) == 0 else { return self }
        let cut = random.below(bytes.count)
        switch random.below(3) {
        case 0: return .write(offset, Array(bytes[..<cut]))
        case 1: return .write(offset + cut, Array(bytes[cut...]))
        default: return .write(offset, bytes[..<cut] + bytes[cut...].map { _ in UInt8(random.below(256)) })
        }
    }
}
