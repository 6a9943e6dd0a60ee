import SeededRandom
import Testing

@testable import FlatCacheStore

/// An operation on a store.
enum Step: CustomStringConvertible {
    case open, close, flush, compact, erase, suspend, resume
    case write([StoreBatch.Part])

    var description: String {
        switch self {
        case .open: "open"
        case .close: "close"
        case .flush: "flush"
        case .compact: "compact"
        case .erase: "erase"
        case .suspend: "suspend"
        case .resume: "resume"
        case .write(let parts):
            parts.map { part in
                "write \(part.group.type)\(part.removesAll ? " all" : "") "
                    + part.changes.map { "\(text($0.key))=\($0.value.map { "\($0.count) bytes" } ?? "nil")" }.joined(
                        separator: " "
                    )
            }.joined(separator: ", ")
        }
    }
}

/// A store in a simulated file system, and a model of what it must have.
struct StoreHistory {
    private(set) var system: SimulatedFileSystem
    private(set) var store: FileStore
    private let sync: FileStore.SyncPolicy
    private let sealing: FileStore.Sealing?
    /// The records after each change, from what was acknowledged on.
    ///
    /// The last change may have failed.
    private(set) var states: [Records] = [[:]]
    private(set) var steps: [String] = []

    init(sync: FileStore.SyncPolicy = .onFlush, sealing: FileStore.Sealing? = nil) {
        self.sync = sync
        self.sealing = sealing
        system = SimulatedFileSystem()
        store = FileStore(system, sync: sync, sealing: sealing)
    }

    var current: Records { states[states.count - 1] }

    /// The records of the store, read without counting calls.
    var found: Records {
        get throws {
            system.isCounting = false
            defer { system.isCounting = true }
            return try store.records
        }
    }

    /// Does a step.
    ///
    /// If it throws an error, the store may or may not have done it.
    mutating func run(_ step: Step) throws {
        steps.append("\(system.calls): \(step)")
        switch step {
        case .open: try store.open(.readWrite)
        case .close: store.close()
        case .flush: try store.flush()
        case .suspend: try store.suspend()
        case .resume: _ = try store.resume()
        case .compact: try store.compact()
        case .erase:
            states.append([:])
            try store.removeAll()
        case .write(let parts):
            var records = current
            records.apply(parts)
            states.append(records)
            try store.write(StoreBatch(parts))
        }
        // Closing ignores errors.
        if system.hasCrashed { throw SimulatedFileSystem.Crash() }
        if step.acknowledges || sync == .eachBatch { states = [current] }
    }

    mutating func noteFailure(_ error: any Error) { steps.append("failed: \(error)") }

    /// Forgets the last change, which has failed.
    mutating func forgetLastChange() { states.removeLast() }

    /// Crashes the system, opens the store again, and expects a prefix of the changes with all that was acknowledged.
    mutating func crash(
        _ survival: SimulatedFileSystem.Survival,
        _ random: inout SeededGenerator,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        steps.append("crash, \(survival) survives")
        system = system.afterCrash(survival, &random)
        try reopen(sourceLocation: sourceLocation)
    }

    /// Opens the store after a crash.
    private mutating func reopen(sourceLocation: SourceLocation) throws {
        store = FileStore(system, sync: sync, sealing: sealing)
        do {
            try store.open(.readWrite)
            let found = try self.found
            #expect(states.contains(found), "\(log)", sourceLocation: sourceLocation)
            states = [found]
        } catch is SimulatedFileSystem.Crash {
            throw SimulatedFileSystem.Crash()
        } catch {
            Issue.record("\(error)\n\(log)", sourceLocation: sourceLocation)
            throw error
        }
    }

    /// Opens the store after a crash, and crashes again at a call of it.
    mutating func crashWhileOpening(
        atCall call: Int,
        _ survival: SimulatedFileSystem.Survival,
        _ random: inout SeededGenerator,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        steps.append("crash, \(survival) survives, and again at call \(call)")
        system = system.afterCrash(survival, &random)
        system.fault = .crash(atCall: call)
        do {
            try reopen(sourceLocation: sourceLocation)
            system.fault = .crash(atCall: system.calls)
        } catch is SimulatedFileSystem.Crash {}
        try crash(.random, &random, sourceLocation: sourceLocation)
    }

    /// The steps and the states that were expected, for messages.
    var log: String { steps.joined(separator: "\n") + "\nexpected one of \(states.map(\.summary))" }
}

extension Step {
    /// Whether everything before survives a crash when the step has returned.
    fileprivate var acknowledges: Bool {
        switch self {
        case .flush, .compact, .erase, .close, .suspend, .resume: true
        case .open, .write: false
        }
    }
}

extension Records {
    var summary: [String] {
        map { group, records in "\(group.type): \(records.mapValues(\.count).sorted { $0.key < $1.key })" }
    }
}

extension Step {
    /// Returns a random write.
    static func randomWrite(_ random: inout SeededGenerator) -> Step {
        let parts = (0...random.below(3)).map { _ in
            let count = random.below(10) == 0 ? random.below(40) : random.below(4)
            var changes: [String: RecordChange] = [:]
            for _ in 0..<count {
                let key = "\(random.below(12))"
                let size = random.below(20) == 0 ? random.below(1000) : random.below(60)
                let value = String(repeating: "\(random.below(10))", count: size)
                changes[key] = RecordChange(key: bytes(key), value: random.below(4) == 0 ? nil : bytes(value))
            }
            return StoreBatch.Part(
                random.pick(from: [posts, authors, feeds]),
                removesAll: random.below(15) == 0,
                changes: changes.values.sorted { text($0.key) < text($1.key) }
            )
        }
        return .write(parts)
    }

    /// Steps that use everything that a store does, for sweeps over all of its calls.
    static let sweep: [Step] = [
        .open,
        .write([StoreBatch.Part(posts, ["1": "one", "2": "two"])]),
        .flush,
        .write([StoreBatch.Part(posts, ["1": "ONE", "3": "three"]), StoreBatch.Part(authors, ["1": "Ann"])]),
        .write([StoreBatch.Part(posts, ["2": nil])]),
        .close,
        .open,
        .write([StoreBatch.Part(authors, removesAll: true, ["2": "Ben"])]),
        .compact,
        .write([StoreBatch.Part(posts, ["4": String(repeating: "4", count: 700), "5": "five", "6": "six"])]),
        .write([StoreBatch.Part(posts, ["1": nil, "3": "THREE"])]),
        .flush,
        .write([StoreBatch.Part(feeds, ["home": "1 2 3"])]),
        .compact,
        .write([StoreBatch.Part(feeds, ["home": "1"])]),
        .suspend,
        .resume,
        .write([StoreBatch.Part(posts, ["7": "seven"])]),
        .erase,
        .write([StoreBatch.Part(posts, ["8": "eight"])]),
        .flush,
        .write([StoreBatch.Part(posts, ["9": "nine"])]),
        .close,
        .open,
    ]
}
