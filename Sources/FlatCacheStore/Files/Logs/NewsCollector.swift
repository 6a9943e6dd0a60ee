/// Collects batches that another process has written.
final class NewsCollector {
    /// The bytes of the batches at most.
    ///
    /// If there are more, reading everything again costs less.
    private static let limit = 8 << 20

    private let sequence: UInt64
    private var batches: [(sequence: UInt64, parts: [StoreBatch.Part])] = []
    private var size = 0
    private var isEverything = false

    /// Creates a collector of the batches after the one with a sequence number.
    init(after sequence: UInt64) {
        self.sequence = sequence
    }

    var news: StoreNews {
        if isEverything { return .everything }
        return batches.isEmpty ? .none : .batches(batches.map(\.parts))
    }

    /// Begins again.
    func begin() {
        (batches, size, isEverything) = ([], 0, false)
    }

    /// Adds a frame that was applied.
    func add(_ frame: Frame, of log: LogFile, _ payload: ArraySlice<UInt8>) {
        guard frame.header.sequence > sequence, !isEverything else { return }
        size += payload.count
        // The copies of a compaction have more than the changes after a batch.
        if size > Self.limit || frame.header.flags.contains(.isCopy) {
            begin()
            isEverything = true
        } else if let parts = try? Payload.parts(of: payload) {
            // The payload is valid, because it was applied.
            if batches.last?.sequence != frame.header.sequence { batches.append((frame.header.sequence, [])) }
            batches[batches.count - 1].parts += parts
        }
    }
}
