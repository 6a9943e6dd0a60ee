import FlatCache

/// A cache that notifies observers of one key wrongly.
final class FaultyObservation: ModelSubject {
    private let fault: ModelFault
    private var kept: [CacheSubscription] = []
    private let running = Protected<[Call]>([])

    /// A running call of an observer.
    private struct Call: Sendable {
        let key: ModelKey
        let change: NotifiedChange
        let callback: @Sendable (NotifiedChange) -> Void
        var hasWritten = false
    }

    init(_ fault: ModelFault) {
        self.fault = fault
    }

    override func observe(
        _ key: ModelKey,
        _ callback: @escaping @Sendable (NotifiedChange) -> Void
    ) -> CacheSubscription {
        let previousRevision = Protected<UInt64>(0)
        let isForgotten = Protected(false)
        let subscription = super.observe(key) { [fault, running] change in
            var change = change
            switch fault {
            case .dropsRemovals where change.kind == .removed: return
            case .notifiesTwice: callback(change)
            case .passesWrongOldValue where change.kind == .updated: change.oldValue = change.value
            case .passesOldRevisions: previousRevision.withLock { swap(&$0, &change.revision) }
            case .forgetsOwnWrites where isForgotten.withLock({ $0 }): return isForgotten.withLock { $0 = false }
            default: break
            }
            running.withLock { $0.append(Call(key: key, change: change, callback: callback)) }
            callback(change)
            if running.withLock({ $0.removeLast().hasWritten }) { isForgotten.withLock { $0 = true } }
        }
        guard fault == .callsAfterCancel else { return subscription }
        kept.append(subscription)
        return cache.observe([], initial: false) { _ in }
    }

    override func set(_ entity: ModelEntity) {
        super.set(entity)
        let calls = running.withLock { calls in
            for index in calls.indices where calls[index].key == entity.key { calls[index].hasWritten = true }
            return calls.filter { $0.key == entity.key }
        }
        guard fault == .callsFromWithin else { return }
        for call in calls { call.callback(call.change) }
    }
}
