#if DEBUG
import Foundation

@testable import FlatCache

/// Caches with one planted fault.
final class FaultyStressSubject: StressSubject, @unchecked Sendable {
    private let fault: StressFault
    private let lock = BreakableLock()
    /// The observers, and what a mailbox keeps for a slow consumer of each cache.
    private let receivers = Protected<[Int: Receiver]>([:])
    private var mail: [ObjectIdentifier: [Receiver]] = [:]  // Guarded by the lock.
    private let hasSlowConsumers = Protected(false)
    private let lastNumber = Protected(0)

    init(_ fault: StressFault) {
        self.fault = fault
        super.init()
    }

    override func perform<Result>(_ kind: Kind, on cache: FlatCache, _ operation: () -> Result) -> Result {
        switch (fault, kind) {
        case (.userCodeUnderLock, .read), (.userCodeUnderLock, .write), (.readersWaitForWholeTypes, .wholeType):
            return lock.withLock(operation)
        case (.readersWaitForWholeTypes, .read) where StressLedger.ofThread?.isReader == true:
            return lock.withLock(operation)
        case (.mailKeepsReceivers, .write):
            let result = operation()
            if hasSlowConsumers.withLock({ $0 }) { keepMail(of: cache) }
            return result
        case (.oneWriterDeliversForAll, .write):
            let result = operation()
            for receiver in receivers(of: cache) { receiver.deliverForAll() }
            return result
        default: return operation()
        }
    }

    override func run(_ body: Body, _ id: Int, in cache: FlatCache, _ other: FlatCache, _ think: () -> Void) {
        guard fault == .bodiesStarve else { return super.run(body, id, in: cache, other, think) }
        var isDone = false
        while !isDone {
            let read = body.read(id, cache)
            think()
            isDone = cache.transaction {
                guard body.read(id, cache) == read else { return false }
                body.write(read, id, cache)
                return true
            }
        }
    }

    override func observe(
        _ observed: Observed,
        _ id: Int,
        in cache: FlatCache,
        _ action: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void {
        let receiver = Receiver(cache, action)
        switch fault {
        case .mailKeepsReceivers:
            let cancel = super.observe(observed, id, in: cache, action)
            let forget = remember(receiver)
            return {
                cancel()
                forget()
            }
        case .oneWriterDeliversForAll: return remember(receiver)
        case .callsAfterCancel:
            let isCancelled = Protected(false)
            let cancel = super.observe(observed, id, in: cache) {
                if isCancelled.withLock({ $0 }) { return }
                for _ in 0..<20 { sched_yield() }
                SyncPoint.reach(.taken)
                action()
            }
            return {
                isCancelled.withLock { $0 = true }
                // The call that is about to begin must not be kept from it by the cache itself.
                _ = cancel
            }
        default: return super.observe(observed, id, in: cache, action)
        }
    }

    override func fetch(
        _ ids: [String],
        from cache: FlatCache,
        askedForBy actor: Guest,
        isolation: isolated (any Actor)? = #isolation
    ) async throws {
        if fault == .foreignTurn { await actor.takeTurn() }
        try await super.fetch(ids, from: cache, askedForBy: actor)
    }

    override func beginSlowConsumer() { hasSlowConsumers.withLock { $0 = true } }

    override func repair() { lock.breakOpen() }

    // MARK: Observers

    private func remember(_ receiver: Receiver) -> @Sendable () -> Void {
        let number = lastNumber.withLock { number in
            number += 1
            return number
        }
        receivers.withLock { $0[number] = receiver }
        return { [self] in
            let receiver = receivers.withLock { $0.removeValue(forKey: number) }
            withExtendedLifetime(receiver) {}
        }
    }

    private func receivers(of cache: FlatCache) -> [Receiver] {
        receivers.withLock { receivers in receivers.values.filter { $0.cache === cache } }
    }

    /// Replaces what waits for a consumer that doesn't read.
    private func keepMail(of cache: FlatCache) {
        let receivers = receivers(of: cache)
        lock.withLock {
            // Whoever holds it is changing the mail.
            if !lock.isBrokenOpen { mail[ObjectIdentifier(cache)] = receivers }
        }
    }
}

/// An observer that is called for all, by whoever comes first.
private final class Receiver: Sendable {
    let cache: FlatCache
    private let action: @Sendable () -> Void
    private let state = Protected((isTaken: false, isWaiting: false))

    init(_ cache: FlatCache, _ action: @escaping @Sendable () -> Void) {
        self.cache = cache
        self.action = action
    }

    func deliverForAll() {
        let hasTurn = state.withLock { state in
            state.isWaiting = true
            defer { state.isTaken = true }
            return !state.isTaken
        }
        guard hasTurn else { return }
        while next() { action() }
    }

    private func next() -> Bool {
        state.withLock { state in
            defer { state.isWaiting = false }
            state.isTaken = state.isWaiting
            return state.isWaiting
        }
    }
}

/// A lock that keeps its own thread off, too, until it is broken open.
private final class BreakableLock: @unchecked Sendable {  // Guarded by the condition.
    private let condition = NSCondition()
    private var isTaken = false
    private var isBroken = false

    var isBrokenOpen: Bool { condition.withLock { isBroken } }

    func withLock<Result>(_ body: () -> Result) -> Result {
        condition.withLock {
            while isTaken && !isBroken { condition.wait() }
            isTaken = true
        }
        defer {
            condition.withLock {
                isTaken = false
                condition.signal()
            }
        }
        return body()
    }

    func breakOpen() {
        condition.withLock {
            isBroken = true
            condition.broadcast()
        }
    }
}
#endif
