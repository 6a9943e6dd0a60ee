#if DEBUG
import TestThreads
import Testing

@testable import FlatCache

/// Commits during the computation of a derived value, and during its notification.
@Suite("Races of derived observation", .mayBlock)
struct DerivedRaces {
    let cache = FlatCache()
    private let intruder = RunIntruder()
    private let notified = Recorder<[Int?]>()

    private func set(_ id: Int, _ count: Int) { cache.set(Counter(id: id, count: count)) }

    @Test("N3: A commit at any moment of the first run notifies after it", arguments: RunMoment.allCases, [1, 2])
    func firstRun(_ moment: RunMoment, id: Int) {
        // The first result is compared with nothing.
        guard moment != .compared else { return }
        set(id, 1)
        intruder.intrude(at: moment) { [cache] in cache.set(Counter(id: id, count: 2)) }
        let subscription = cache.observeCounters(intruder, notified)
        #expect(intruder.isDone)
        #expect(notified.elements.map { $0[id - 1] } == [1, 2])
        set(3 - id, 7)
        #expect(notified.elements.last == (id == 1 ? [2, 7] : [7, 2]))
        #expect(notified.count == 3)
        subscription.cancel()
        #expect(cache.observedKeyCount(of: Counter.self) == 0)
    }

    @Test("N2, N3: A commit at any moment of a later run notifies after it", arguments: RunMoment.allCases, [1, 2, 3])
    func laterRun(_ moment: RunMoment, id: Int) {
        let subscription = cache.observeCounters(intruder, notified)
        intruder.intrude(at: moment) { [cache] in
            cache.transaction {
                for id in 1...id { cache.set(Counter(id: id, count: 20)) }
            }
        }
        set(1, 10)
        #expect(intruder.isDone)
        #expect(notified.elements == [[nil, nil], [10, nil], [20, id == 1 ? nil : 20]])
        #expect(intruder.runs.withLock { $0 } == 3)
        subscription.cancel()
    }

    @Test(
        "N4: Commits that come during a run are folded into one more run, and none is lost",
        arguments: RunMoment.allCases
    )
    func foldedCommits(_ moment: RunMoment) {
        let subscription = cache.observeCounters(intruder, notified)
        intruder.intrude(at: moment) { [cache] in
            cache.set(Counter(id: 1, count: 11))
            cache.set(Counter(id: 2, count: 12))
            cache.remove(Counter.self, id: 1)
        }
        set(1, 10)
        #expect(notified.elements == [[nil, nil], [10, nil], [nil, 12]])
        #expect(intruder.runs.withLock { $0 } == 3)
        subscription.cancel()
    }

    @Test("N4: A change that is undone during a run doesn't notify", arguments: RunMoment.allCases)
    func changedBack(_ moment: RunMoment) {
        let subscription = cache.observeCounters(intruder, notified)
        intruder.intrude(at: moment) { [cache] in
            cache.removeAll()
            cache.set(Counter(id: 1, count: 10))
        }
        set(1, 10)
        #expect(notified.elements == [[nil, nil], [10, nil]])
        subscription.cancel()
    }

    @Test(
        "N7: Cancelling at any moment doesn't wait, and no call begins after it",
        arguments: RunMoment.allCases
    )
    func cancel(_ moment: RunMoment) {
        set(2, 5)
        let subscription = cache.observeCounters(intruder, notified)
        intruder.intrude(at: moment) { [cache] in
            // It waits for the run.
            cache.set(Counter(id: 2, count: 6))
            subscription.cancel()
            cache.set(Counter(id: 2, count: 7))
        }
        set(1, 10)
        #expect(intruder.isDone)
        #expect(notified.elements == [[nil, 5]] + (moment == .notified ? [[10, 5]] : []))
        #expect(intruder.runs.withLock { $0 } == 2)
        set(1, 11)
        cache.removeAll()
        #expect(intruder.runs.withLock { $0 } == 2)
        #expect(cache.slotCount(of: Counter.self) == 0)
    }

    @Test("N1, N7: The observer may cancel and release itself at any moment", arguments: RunMoment.allCases)
    func cancelFromWithin(_ moment: RunMoment) {
        let holder = Protected<CacheSubscription?>(nil)
        holder.withLock { $0 = cache.observeCounters(intruder, notified) }
        intruder.doItself(at: moment) {
            let subscription = holder.withLock { subscription in
                defer { subscription = nil }
                return subscription
            }
            withExtendedLifetime(subscription) {}
        }
        set(1, 10)
        #expect(notified.elements == [[nil, nil]] + (moment == .notified ? [[10, nil]] : []))
        cache.removeAll()
        #expect(notified.count <= 2)
        #expect(cache.slotCount(of: Counter.self) == 0)
    }

    @Test(
        "N3: A key that is read for the first time is watched from the state that was read, whatever has become of its slot",
        arguments: Meanwhile.allCases
    )
    func newDependency(_ meanwhile: Meanwhile) {
        if meanwhile.isStoredBefore { set(2, 5) }
        intruder.intrude(at: .half) { [cache] in meanwhile.happen(in: cache) }
        let subscription = cache.observeCounters(intruder, notified)
        #expect(notified.elements.first == [nil, meanwhile.isStoredBefore ? 5 : nil])
        #expect(notified.elements.last == [nil, meanwhile.result])
        #expect(notified.count == (notified.elements.first == notified.elements.last ? 1 : 2))
        set(2, 9)
        #expect(notified.elements.last == [nil, 9])
        subscription.cancel()
    }

    @Test(
        "N3, N5: A removal of all that is under way when a dependency begins notifies, or is seen from the beginning",
        arguments: [false, true]
    )
    func clearing(isTransaction: Bool) {
        set(1, 1)
        set(2, 2)
        let clearing = StoppedThread(at: .drawn) { [cache] in
            if isTransaction { cache.transaction { cache.removeAll() } } else { cache.removeAll() }
        }
        let holder = Protected<CacheSubscription?>(nil)
        let hasBegun = Gate("a run has begun")
        intruder.doItself(at: .begun) { hasBegun.open() }
        let observing = RunningThread { [cache, intruder, notified] in
            let subscription = cache.observeCounters(intruder, notified)
            holder.withLock { $0 = subscription }
        }
        hasBegun.wait()
        clearing.finish()
        observing.finish()
        #expect(notified.elements == [[nil, nil]])
        set(2, 3)
        #expect(notified.elements.last == [nil, 3])
        holder.withLock { $0 }?.cancel()
    }

    @Test("N2, N4: Commits that come before the turn's run are in it, and not notified again")
    func turnTaken() {
        let subscription = cache.observeCounters(intruder, notified)
        let first = StoppedThread(at: .taken) { [cache] in cache.set(Counter(id: 1, count: 1)) }
        set(2, 2)
        set(1, 3)
        #expect(notified.elements == [[nil, nil]])
        first.finish()
        #expect(notified.elements == [[nil, nil], [3, 2]])
        subscription.cancel()
    }

    @Test("N2, N3: A commit that hasn't notified yet notifies with the next one, or by itself, and once")
    func lateDelivery() {
        let subscription = cache.observeCounters(intruder, notified)
        let late = StoppedThread(at: .committed) { [cache] in cache.set(Counter(id: 1, count: 1)) }
        let newIntruder = RunIntruder()
        let toldLater = Recorder<[Int?]>()
        let later = cache.observeCounters(newIntruder, toldLater)
        #expect(toldLater.elements == [[1, nil]])
        set(2, 2)
        #expect(notified.elements == [[nil, nil], [1, 2]])
        late.finish()
        #expect(notified.elements == [[nil, nil], [1, 2]])
        #expect(toldLater.elements == [[1, nil], [1, 2]])
        #expect(newIntruder.runs.withLock { $0 } == 2)
        subscription.cancel()
        later.cancel()
    }

    @Test("N2, S3: A commit that is overtaken by one of another key notifies with that, or after it")
    func overtakenCommit() {
        let ids = cache.counterIDsInDifferentShards(2)
        let subscription = cache.observe { [cache] in
            ids.map { cache.get(Counter.self, id: $0)?.count }
        } onChange: { [notified] in
            notified.record($0)
        }
        let overtaken = StoppedThread(at: .drawn) { [cache] in cache.set(Counter(id: ids[0], count: 1)) }
        let quick = StoppedThread(at: .committed) { [cache] in cache.set(Counter(id: ids[1], count: 2)) }
        // Its run waits for the other, whose revision is older.
        let running = RunningThread { quick.finish() }
        overtaken.finish()
        running.finish()
        #expect(notified.elements == [[nil, nil], [1, 2]])
        subscription.cancel()
    }

    @Test("H3: A cache that is released during a run stays until that has been notified", arguments: RunMoment.allCases)
    func cacheReleased(_ moment: RunMoment) throws {
        let holder = Protected<FlatCache?>(FlatCache())
        let handle = try #require(holder.withLock { $0.map { Cached(Counter.self, id: 1, in: $0) } })
        let subscription = holder.withLock { $0 }?.observeCounters(intruder, notified)
        intruder.intrude(at: moment) { holder.withLock { $0 = nil } }
        let writer = RunningThread { holder.withLock { $0 }?.set(Counter(id: 1, count: 1)) }
        writer.finish()
        #expect(notified.elements == [[nil, nil], [1, nil]])
        #expect(handle.cache == nil)
        subscription?.cancel()
    }

    /// What another thread does with the counter 2 between the opening of a snapshot and its reading.
    enum Meanwhile: CaseIterable {
        case insert, insertAndRemove, replace, writeEqual, remove, replaceAndRemove, removeAndInsertEqual
        case removeAndInsert, clear, clearAndInsert, removeWithHandle, insertWithHandle, moveAway

        var isStoredBefore: Bool { ![.insert, .insertAndRemove, .insertWithHandle].contains(self) }

        var result: Int? {
            switch self {
            case .insert, .replace, .removeAndInsert, .clearAndInsert, .insertWithHandle: 6
            case .writeEqual, .removeAndInsertEqual: 5
            default: nil
            }
        }

        func happen(in cache: FlatCache) {
            let (equal, other) = (Counter(id: 2, count: 5), Counter(id: 2, count: 6))
            switch self {
            case .insert, .replace: cache.set(other)
            case .writeEqual: cache.set(equal)
            case .remove: cache.remove(Counter.self, id: 2)
            case .insertAndRemove, .replaceAndRemove:
                cache.set(other)
                cache.remove(Counter.self, id: 2)
            case .removeAndInsertEqual:
                cache.remove(Counter.self, id: 2)
                cache.set(equal)
            case .removeAndInsert:
                cache.remove(Counter.self, id: 2)
                cache.set(other)
            case .clear: cache.removeAll()
            case .clearAndInsert:
                cache.transaction {
                    cache.removeAll()
                    cache.set(other)
                }
            case .removeWithHandle: Cached(Counter.self, id: 2, in: cache).remove()
            case .insertWithHandle: try? Cached(Counter.self, id: 2, in: cache).set(other)
            case .moveAway: cache.remove(Counter.self, id: 2).map { _ = cache.set(Counter(id: 3, count: $0.count)) }
            }
        }
    }

    @Test("N2, N3: A change posted to the mailbox while its state is being read doesn't hide a later one")
    func latePost() {
        let ids = cache.counterIDsInDifferentShards(2)
        cache.set(contentsOf: ids.map { Counter(id: $0) })
        let notified = Recorder<[Int?]>()
        let runs = Protected(0)
        let hasBegun = Gate("the second run has begun")
        let subscription = cache.observe { [cache] in
            let run = runs.withLock { runs in
                runs += 1
                return runs
            }
            if run == 2 { hasBegun.open() }
            let first = cache.get(Counter.self, id: ids[0])?.count
            if run == 2 { RunningThread { cache.set(Counter(id: ids[0])) }.finish() }
            return [first, cache.get(Counter.self, id: ids[1])?.count]
        } onChange: {
            notified.record($0)
        }
        // This change is detected before the run begins and is posted when the run reads the key.
        let late = StoppedThread(at: .posting) { [cache] in cache.set(Counter(id: ids[0], count: 1)) }
        let other = RunningThread { [cache] in cache.set(Counter(id: ids[1], count: 1)) }
        hasBegun.wait()
        late.finish()
        other.finish()
        #expect(notified.elements.last == [0, 1])
        #expect(notified.elements.first == [0, 0])
        subscription.cancel()
    }
}
#endif
