import FlatCache
import Foundation
import TestThreads

@testable import FlatCacheStore

/// A store that passes everything on, and fails at the calls that a test names.
final class FlakyStore: EntityStore, @unchecked Sendable {  // The lock guards the variables.
    struct Failure: Error, CustomStringConvertible {
        var description: String { "the disk is full" }
    }

    private let store: any EntityStore
    private let lock = NSLock()
    private var calls = 0
    private var failing: Range<Int>
    private var onRead: (@Sendable () -> Void)?
    private var onScan: (@Sendable () -> Void)?

    init(_ store: any EntityStore, failing: Range<Int> = 0..<0) {
        self.store = store
        self.failing = failing
    }

    /// The number of calls until now.
    var callCount: Int { lock.withLock { calls } }

    /// Fails the next calls, or those after some.
    func fail(_ count: Int, after others: Int = 0) {
        lock.withLock { failing = calls + others..<calls + others + count }
    }

    /// Calls a closure before each read of some keys.
    func beforeReads(_ body: @escaping @Sendable () -> Void) { lock.withLock { onRead = body } }

    /// Calls a closure before each read of whole groups, or none.
    func beforeScans(_ body: (@Sendable () -> Void)?) { lock.withLock { onScan = body } }

    private func call<Result>(_ body: () throws -> Result) throws -> Result {
        let isFailing = lock.withLock {
            defer { calls += 1 }
            return failing.contains(calls)
        }
        if isFailing { throw Failure() }
        return try body()
    }

    func open(_ access: StoreAccess) throws { try call { try store.open(access) } }

    func close() { store.close() }

    func groups() throws -> [RecordGroup: Int] { try call { try store.groups() } }

    func read(_ groups: Set<RecordGroup>, _ body: (RecordGroup, [StoredRecord]) throws -> Void) throws {
        lock.withLock { onScan }?()
        try call { try store.read(groups, body) }
    }

    func read(_ group: RecordGroup, keys: [ArraySlice<UInt8>]) throws -> [StoredRecord] {
        lock.withLock { onRead }?()
        return try call { try store.read(group, keys: keys) }
    }

    func write(_ batch: StoreBatch) throws {
        // A part is taken before the failure.
        var batch = batch
        let first = batch.next()
        try call {
            var isFirst = true
            try store.write(
                StoreBatch {
                    defer { isFirst = false }
                    return isFirst ? first : batch.next()
                }
            )
        }
    }

    func flush() throws { try call { try store.flush() } }

    func removeAll() throws { try call { try store.removeAll() } }

    func size() throws -> StoreSize { try store.size() }

    func suspend() throws { try call { try store.suspend() } }

    func resume() throws -> StoreNews { try call { try store.resume() } }

    func refresh() throws -> StoreNews { try call { try store.refresh() } }
}

/// A store whose writes wait for the test.
final class BlockedStore: EntityStore {
    private let store: any EntityStore
    private let gates = Protected<(arrival: Gate, departure: Gate)?>(nil)

    init(_ store: any EntityStore) {
        self.store = store
    }

    func block() {
        gates.withLock { $0 = (Gate("a store begins to write"), Gate("a store may write")) }
    }

    func untilBlocked() async { await gates.withLock { $0 }?.arrival.opened() }

    func unblock() {
        let gates = gates.withLock { gates in
            defer { gates = nil }
            return gates
        }
        gates?.departure.open()
    }

    func open(_ access: StoreAccess) throws { try store.open(access) }

    func close() { store.close() }

    func groups() throws -> [RecordGroup: Int] { try store.groups() }

    func read(_ groups: Set<RecordGroup>, _ body: (RecordGroup, [StoredRecord]) throws -> Void) throws {
        try store.read(groups, body)
    }

    func read(_ group: RecordGroup, keys: [ArraySlice<UInt8>]) throws -> [StoredRecord] {
        try store.read(group, keys: keys)
    }

    func write(_ batch: StoreBatch) throws {
        if let gates = gates.withLock({ $0 }) {
            gates.arrival.open()
            gates.departure.wait()
        }
        try store.write(batch)
    }

    func flush() throws { try store.flush() }

    func removeAll() throws { try store.removeAll() }

    func size() throws -> StoreSize { try store.size() }
}
