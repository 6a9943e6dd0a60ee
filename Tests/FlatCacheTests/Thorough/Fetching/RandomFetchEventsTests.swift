import SeededRandom
import Testing

@testable import FlatCache

/// Events in random order, without tasks, and the invariants of the state after each.
///
/// `FLATCACHE_SEED` replays one run.
@Suite("Random events of the state machine of fetching")
struct RandomFetchEventsTests {
    @Test(
        "F1, F2, F3: Each waiter is resumed once, and nothing is left when all has ended",
        arguments: Seeds.first(60, full: 200)
    )
    func random(seed: UInt64) {
        var run = RandomFetchEvents(seed: seed)
        for step in 0..<400 {
            run.step()
            if run.complaints.isEmpty { run.checkInvariants() }
            if !run.complaints.isEmpty {
                Issue.record("seed \(seed), step \(step): \(run.complaints.joined(separator: "; "))")
                return
            }
        }
        run.end()
        #expect(run.complaints == [], "seed \(seed)")
    }
}

/// A run of random events.
private struct RandomFetchEvents {
    private(set) var complaints: [String] = []
    private var script: FetchScript
    private var random: SeededGenerator
    /// Requests that have arrived and whose observers are being notified.
    private var announcing: [(waiter: UInt64?, fetches: [PendingFetch])] = []
    private var parked: Set<UInt64> = []
    private var unfinished: Set<UInt64> = []
    private var resumed: Set<UInt64> = []
    /// The calls whose fetchers have not returned, by their places.
    private var running: Set<Int> = []
    /// The timers and the number of the calls whose tasks were made.
    private var timers: Set<UInt64> = []
    private var madeCount = 0

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        script = FetchScript(batchLimit: [1, 3, .max][Int(seed % 3)], window: seed % 2 == 0 ? .seconds(1) : nil)
    }

    private mutating func pick<Element: Comparable>(_ elements: Set<Element>) -> Element? {
        elements.isEmpty ? nil : random.pick(from: elements.sorted())
    }

    mutating func step() {
        switch random.below(16) {
        case 0...3: arrive()
        case 4...6: announce()
        case 7: note(script.endTurn())
        case 8: note(script.start())
        case 9: if let waiter = pick(unfinished) { cancel(waiter) }
        case 10: if let waiter = pick(resumed) { finish(waiter) }
        case 11: makeTasks()
        case 12, 13: endCall()
        case 14: write()
        default: if random.below(4) == 0 { replaceFetcher() }
        }
    }

    private mutating func arrive() {
        let ids = (0..<random.below(4)).map { _ in random.below(8) }
        let refreshed = random.below(4) == 0 ? [8] : []
        let caller = random.below(3) == 0 ? pick(running).map { script.calls[$0].node } : nil
        let awaited = Array(Set(ids)).sorted()
        if awaited.isEmpty && refreshed.isEmpty { return }
        let (waiter, arrival) = script.arrive(
            awaited,
            refreshed,
            random.below(2) == 0,
            .medium,
            awaited.isEmpty ? nil : caller
        )
        note(script.note(arrival.action))
        if arrival.outcome != nil {
            note(script.finish(waiter))
        } else {
            if !awaited.isEmpty { unfinished.insert(waiter) }
            announcing.append((awaited.isEmpty ? nil : waiter, arrival.unannounced))
        }
    }

    private mutating func announce() {
        guard !announcing.isEmpty else { return }
        var (waiter, fetches) = announcing.remove(at: random.below(announcing.count))
        note(script.announce(&fetches))
        guard let waiter else { return }
        if script.park(waiter).isEmpty { parked.insert(waiter) } else { resume(waiter) }
    }

    private mutating func cancel(_ waiter: UInt64) {
        note(script.cancel(waiter))
    }

    private mutating func finish(_ waiter: UInt64) {
        resumed.remove(waiter)
        unfinished.remove(waiter)
        note(script.finish(waiter))
    }

    private mutating func resume(_ waiter: UInt64) {
        if !resumed.insert(waiter).inserted { complaints.append("waiter \(waiter) is resumed twice") }
    }

    private mutating func makeTasks() {
        while madeCount < script.calls.count {
            _ = script.make(script.calls[madeCount].task)
            madeCount += 1
        }
        for timer in script.timers where timers.insert(timer.task.number).inserted { _ = script.make(timer.task) }
    }

    private mutating func endCall() {
        guard let call = pick(running) else { return }
        running.remove(call)
        script.calls[call].node.end()
        if random.below(3) == 0 { return note(script.fail(call)) }
        var ids = script.machine.fetches(of: script.calls[call].task.number).map { FetchScript.id(of: $0.entity) }
        ids.removeAll { _ in random.below(3) == 0 }
        ids.append(random.below(8))
        note(script.answer(call, with: Array(Set(ids)).sorted()))
    }

    private mutating func write() {
        let id = random.below(8)
        switch random.below(3) {
        case 0: note(script.invalidate(id))
        case 1: script.commit(id, isStored: false)
        default: script.commit(id)
        }
    }

    private mutating func replaceFetcher() {
        let limit = random.pick(from: [1, 2, .max])
        let window: Duration? = random.below(2) == 0 ? .seconds(1) : nil
        note(script.setFetcher(random.below(4) == 0 ? nil : FetcherTerms(batchLimit: limit, batchWindow: window)))
    }

    /// Sees which waiters and calls the words of an action are about.
    private mutating func note(_ actions: [String]) {
        for action in actions where action.hasPrefix("resume ") {
            guard let waiter = UInt64(action.dropFirst("resume ".count).prefix { $0 != ":" }) else { continue }
            if parked.remove(waiter) == nil { complaints.append("waiter \(waiter) is resumed and wasn't suspended") }
            resume(waiter)
        }
        let begun = actions.count { $0.hasPrefix("call ") }
        for call in script.calls.indices.suffix(begun) { running.insert(call) }
    }

    mutating func checkInvariants() {
        let machine = script.machine
        for (number, call) in machine.calls {
            let wanted = call.fetches.count { machine.fetches[$0].map { $0.phase == .called && $0.isWanted } ?? false }
            if wanted == 0 { complaints.append("call \(number) goes on for nobody") }
            if wanted != call.wantedCount {
                complaints.append("call \(number) counts \(call.wantedCount), not \(wanted)")
            }
        }
        var batched = 0
        for (number, fetch) in machine.fetches {
            let isCalled = fetch.call.map { machine.calls[$0] != nil } ?? false
            if fetch.phase == .batched { batched += 1 }
            if (fetch.phase == .called || fetch.phase == .ended) != isCalled {
                complaints.append("fetch \(number) is \(fetch.phase) without a call")
            }
            if !fetch.isWanted && !isCalled { complaints.append("nobody wants fetch \(number)") }
            for waiter in fetch.waiters.keys where machine.waiters[waiter]?.fetches.contains(number) != true {
                complaints.append("waiter \(waiter) doesn't know fetch \(number)")
            }
        }
        if machine.batch?.count ?? 0 != batched { complaints.append("the batch miscounts its \(batched) fetches") }
        if machine.batch?.count == 0 { complaints.append("the batch is empty") }
        for number in machine.newest.values where machine.fetches[number].map({ $0.phase == .ended }) ?? true {
            complaints.append("fetch \(number) has ended and can be joined")
        }
        for waiter in unfinished.subtracting(resumed) where machine.waiters[waiter] == nil {
            complaints.append("waiter \(waiter) was forgotten")
        }
    }

    /// Lets all that was begun end.
    mutating func end() {
        if script.machine.fetcher == nil { note(script.setFetcher(FetcherTerms())) }
        while !announcing.isEmpty { announce() }
        makeTasks()
        for _ in 0..<3 {
            note(script.endTurn())
            note(script.start())
            makeTasks()
            while !running.isEmpty { endCall() }
        }
        let waiting = unfinished.subtracting(resumed)
        if !waiting.isEmpty { complaints.append("waiters \(waiting.sorted()) are never resumed") }
        for waiter in resumed.sorted() { finish(waiter) }
        checkInvariants()
        if !script.isEmpty { complaints.append("something is left") }
    }
}
