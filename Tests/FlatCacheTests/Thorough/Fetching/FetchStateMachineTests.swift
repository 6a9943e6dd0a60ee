import Testing

@testable import FlatCache

/// Events in, actions out.
@Suite("The state machine of fetching")
struct FetchStateMachineTests {
    var script = FetchScript()

    // MARK: Requests

    @Test("F1: Requests for one entity join one fetch, and those of one turn are one batch")
    mutating func joined() {
        #expect(script.request([1]) == ["turn"])
        #expect(script.request([1, 2]) == [])
        #expect(script.dispatch() == ["read [1, 2]", "call [1, 2]"])
        #expect(script.request([2]) == [])
        #expect(
            script.answer(with: [1, 2]) == ["resume 1: success", "resume 2: success", "resume 3: success"].sorted()
        )
        for waiter in 1...3 as ClosedRange<UInt64> { #expect(script.finish(waiter) == []) }
        #expect(script.isEmpty)
    }

    @Test("F4: Each actor that asks gives the batch a turn of its own, and another when its priority rises")
    mutating func turns() {
        let actor = ObjectIdentifier(FlatCache.self)
        var first = script.arrive([1])
        #expect(script.announce(&first.arrival.unannounced, turnOf: actor) == ["turn"])
        var second = script.arrive([2])
        #expect(script.announce(&second.arrival.unannounced, turnOf: actor) == [])
        #expect(script.request([3]) == ["turn"])
        #expect(script.request([3], priority: .high) == ["turn"])
    }

    @Test("A batch that is full is due at once, and the rest waits")
    mutating func fullBatches() {
        script = FetchScript(batchLimit: 2)
        #expect(script.request([1, 2, 3, 4, 5]) == ["read [1, 2]", "read [3, 4]", "turn"])
        #expect(script.start() == ["call [1, 2]", "call [3, 4]"])
        #expect(script.dispatch() == ["read [5]", "call [5]"])
    }

    @Test("A batch window is one timer, which follows the priority and stops with the batch")
    mutating func window() throws {
        script = FetchScript(window: .seconds(1))
        #expect(script.request([1]) == ["wait 1.0 seconds"])
        let timer = try #require(script.timers.first)
        #expect(script.make(timer.task).priority == .medium)
        #expect(script.request([1, 2], priority: .high) == ["escalate to \(TaskPriority.high.rawValue)"])
        #expect(script.endTurn() == ["cancel", "read [1, 2]"])
    }

    @Test("A request that only refreshes needs no waiter, and a waiter that joins it doesn't cancel its call")
    mutating func refreshing() {
        #expect(script.request([], refreshing: [1]) == ["turn"])
        #expect(script.request([1]) == [])
        #expect(script.dispatch() == ["read [1]", "call [1]"])
        #expect(script.cancel(2) == ["resume 2: cancelled"])
        #expect(script.finish(2) == [])
        #expect(script.answer(with: [1]) == [])
        #expect(script.isEmpty)
    }

    @Test("Without a fetcher a request is refused, and leaves nothing")
    mutating func noFetcher() {
        _ = script.setFetcher(nil)
        #expect(script.request([1]) == ["refuse 1: noFetcher"])
        #expect(script.finish(1) == [])
        #expect(script.isEmpty)
    }

    // MARK: Cancellation

    @Test("F2: Cancelling one of two waiters leaves the other; cancelling the last cancels the call")
    mutating func cancelled() {
        _ = script.request([1, 2])
        _ = script.request([2])
        _ = script.dispatch()
        #expect(script.make(script.calls[0].task).priority == .medium)
        #expect(script.cancel(1) == ["resume 1: cancelled"])
        #expect(script.finish(1) == [])
        // The first entity is still being loaded, and can be joined.
        #expect(script.request([1]) == [])
        #expect(script.cancel(3) == ["resume 3: cancelled"])
        #expect(script.cancel(2) == ["cancel", "resume 2: cancelled"])
        #expect(script.finish(3) == [])
        // No observer is notified in a cancellation handler.
        #expect(script.finish(2) == ["notify [1, 2]"])
        #expect(script.answer(with: [1, 2]) == [])
        #expect(script.isEmpty)
    }

    /// The moments at which a waiter is cancelled.
    enum Moment: CaseIterable {
        case beforeArrival, announcing, batched, starting, beforeTask
    }

    @Test("F2: A waiter can be cancelled at any moment, once, and leaves nothing", arguments: Moment.allCases)
    mutating func cancelled(at moment: Moment) {
        if moment == .beforeArrival { #expect(script.cancel(1) == []) }
        var (number, arrival) = script.arrive([1])
        #expect(number == 1)
        #expect(arrival.outcome?.words == (moment == .beforeArrival ? "cancelled" : nil))
        if moment == .announcing { #expect(script.cancel(1) == []) }
        let isAnnounced = moment != .beforeArrival
        // The request that has announced it says that it isn't loading.
        let announced = moment == .announcing ? ["notify [1]"] : isAnnounced ? ["turn"] : []
        #expect(script.announce(&arrival.unannounced) == announced)
        let isOver = moment == .announcing || moment == .beforeArrival
        #expect(script.park(1) == (isOver ? ["don't suspend 1: cancelled"] : []))
        if moment == .batched { #expect(script.cancel(1) == ["resume 1: cancelled"]) }
        _ = script.endTurn()
        if moment == .starting { #expect(script.cancel(1) == ["resume 1: cancelled"]) }
        _ = script.start()
        if moment == .beforeTask {
            #expect(script.cancel(1) == ["resume 1: cancelled"])
            #expect(script.make(script.calls[0].task).isCancelled)
        } else {
            #expect(script.calls.isEmpty)
        }
        #expect(script.cancel(1) == [])
        #expect(script.finish(1) == (isOver ? [] : ["notify [1]"]))
        #expect(script.isEmpty)
    }

    @Test("The batch of a cancelled waiter goes with its timer")
    mutating func emptyBatch() throws {
        script = FetchScript(window: .seconds(1))
        _ = script.request([1])
        #expect(script.make(try #require(script.timers.first).task).priority == .medium)
        #expect(script.cancel(1) == ["cancel", "resume 1: cancelled"])
        #expect(script.machine.batch == nil)
    }

    // MARK: Fetchers

    @Test("Calls of a replaced fetcher go on and can't be joined; the open batch is for the new one")
    mutating func replaced() {
        _ = script.request([1])
        _ = script.dispatch()
        _ = script.request([2])
        #expect(script.setFetcher(FetcherTerms(batchWindow: .seconds(1))) == ["wait 1.0 seconds"])
        #expect(script.request([1]) == [])
        #expect(script.dispatch() == ["read [1, 2]", "call [1, 2]"])
        #expect(script.answer(0, with: [1, 2]) == ["resume 1: success"])
        #expect(script.answer(1, with: [1, 2]) == ["resume 2: success", "resume 3: success"])
    }

    @Test("A batch waits for no fetcher that is gone, whether it is open or being read", arguments: [true, false])
    mutating func removed(isDue: Bool) {
        _ = script.request([1])
        if isDue { _ = script.endTurn() }
        let removal = script.setFetcher(nil)
        let failed = ["notify [1]", "resume 1: noFetcher at [0]"]
        #expect(removal == (isDue ? [] : failed))
        #expect(script.start() == (isDue ? failed : []))
        _ = script.finish(1)
        #expect(script.isEmpty)
    }

    @Test("A fetcher that fails fails all waiters of its call at once, and gives up what else they wait for")
    mutating func failed() {
        script = FetchScript(batchLimit: 1)
        _ = script.request([1, 2])
        _ = script.request([1])
        _ = script.start()
        #expect(script.make(script.calls[1].task).priority == .medium)
        let actions = script.fail(0)
        #expect(Set(actions) == ["cancel", "notify [2]", "resume 1: failed at [0]", "resume 2: failed at [0]"])
        for waiter in 1...2 as ClosedRange<UInt64> { _ = script.finish(waiter) }
        #expect(script.isEmpty)
        #expect(script.request([1]) == ["read [1]"])
    }

    @Test("When the cache is gone all tasks are cancelled, and all waiters resumed")
    mutating func closed() {
        _ = script.request([1, 2])
        _ = script.dispatch()
        #expect(script.make(script.calls[0].task).priority == .medium)
        _ = script.request([3])
        _ = script.endTurn()
        _ = script.request([4])
        let actions = script.note(script.machine.closed())
        #expect(actions.first == "cancel")
        #expect(script.outcomes == [1: "cancelled at [0, 1]", 2: "cancelled at [0]", 3: "cancelled at [0]"])
        for waiter in 1...3 as ClosedRange<UInt64> { _ = script.finish(waiter) }
        #expect(script.start() == [])
        #expect(script.isEmpty)
    }

    // MARK: Answers

    @Test("F3: An answer resumes a waiter once, with the places of the entities that it has left out")
    mutating func omitted() {
        _ = script.request([1, 2, 3])
        _ = script.request([2])
        _ = script.dispatch()
        let actions = script.answer(with: [2])
        #expect(Set(actions) == ["resume 1: notFound at [0, 2]", "resume 2: success"])
        for waiter in 1...2 as ClosedRange<UInt64> { _ = script.finish(waiter) }
        #expect(script.isEmpty)
    }

    @Test("An answer that brings what another call was made for satisfies that, too")
    mutating func rival() {
        script = FetchScript(batchLimit: 1)
        _ = script.request([1])
        _ = script.request([2])
        _ = script.start()
        #expect(script.answer(0, with: [1, 2]) == ["resume 1: success", "resume 2: success"])
        #expect(script.make(script.calls[1].task).isCancelled)
        #expect(script.answer(1, with: [2]) == [])
        for waiter in 1...2 as ClosedRange<UInt64> { _ = script.finish(waiter) }
        #expect(script.isEmpty)
    }

    @Test("A call that gets waiters of more priority is escalated, once its task is made")
    mutating func escalated() {
        _ = script.request([1], priority: .low)
        _ = script.dispatch()
        #expect(script.request([1], priority: .medium) == [])
        #expect(script.make(script.calls[0].task).priority == .medium)
        #expect(script.request([1], priority: .high) == ["escalate to \(TaskPriority.high.rawValue)"])
        #expect(script.request([1], priority: .low) == [])
        #expect(script.answer(with: [1]).first == "forget")
        #expect(script.make(script.calls[0].task).hasEnded)
    }

    // MARK: Writes and removals in between

    @Test("An entity that is stored before its batch is due needs no call, unless the network is asked for")
    mutating func stored() {
        _ = script.request([1])
        _ = script.request([2], needsCall: true)
        script.commit(1)
        script.commit(2)
        #expect(script.dispatch() == ["read [1, 2]", "call [2]", "notify [1]", "resume 1: success"])
    }

    @Test("F3: An entity that is removed before its batch is due isn't called for")
    mutating func removedInBatch() {
        _ = script.request([1, 2])
        script.commit(1, isStored: false)
        #expect(script.dispatch() == ["read [1, 2]", "call [2]", "notify [1]"])
        #expect(script.answer(with: [2]) == ["resume 1: removed at [0]"])
    }

    @Test("F3: A request doesn't join the fetch of an entity that was removed since, and the old answer isn't for it")
    mutating func removedInCall() {
        _ = script.request([1])
        _ = script.dispatch()
        script.commit(1, isStored: false)
        #expect(script.request([1]) == ["turn"])
        #expect(script.dispatch() == ["read [1]", "call [1]"])
        #expect(script.answer(0, with: [1]) == ["resume 1: removed at [0]"])
        #expect(script.answer(1, with: [1]) == ["resume 2: success"])
    }

    @Test("A fetch that is newer than an answer is not satisfied by what that has stored")
    mutating func newerFetch() {
        _ = script.request([1])
        _ = script.dispatch()
        _ = script.setFetcher(FetcherTerms())
        _ = script.request([1])
        #expect(script.answer(0, with: [1]) == ["resume 1: success"])
        #expect(script.dispatch() == ["read [1]", "call [1]"])
    }

    // MARK: Invalidations

    @Test("An entity that is invalidated during its fetch is stored and stays stale; a later request is a new call")
    mutating func invalidated() {
        script.commit(1)
        _ = script.request([1])
        _ = script.dispatch()
        #expect(script.invalidate(1) == [])
        #expect(script.request([1]) == ["turn"])
        #expect(script.answer(0, with: [1]) == ["resume 1: success"])
        #expect(script.isStale(1))
        #expect(script.dispatch() == ["read [1]", "call [1]"])
        #expect(script.answer(1, with: [1]) == ["resume 2: success"])
        #expect(!script.isStale(1))
        #expect(!script.machine.invalidations.hasMarks)
    }

    @Test("An entity that is written and invalidated while an answer is being settled stays stale")
    mutating func invalidatedWhileSettling() {
        _ = script.request([1])
        _ = script.dispatch()
        script.commit(1)
        let late = FetchStateMachine.StoredArrival(
            claim: script.machine.claim(on: script.entity(1).slot, requested: [], by: script.calls[0]),
            reading: script.reading(1),
            revision: script.revision,
            calledSince: 0
        )
        script.commit(1)
        _ = script.invalidate(1)
        _ = script.note(script.machine.answerStored([late]))
        #expect(script.isStale(1))
    }

    @Test("Marks of fresh entities are removed when there are many, and those that were set anew since are kept")
    mutating func manyMarks() {
        for id in 0..<100 { script.commit(id) }
        for id in 0..<64 { #expect(script.invalidate(id) == []) }
        for id in 0..<60 { script.commit(id) }
        #expect(script.invalidate(64) == ["check 65"])
        let marks = script.marks
        let late = script.machine
        #expect(script.check(marks) == [])
        #expect((0..<60).allSatisfy { !script.machine.invalidations.hasMark(of: script.entity($0).slot) })
        #expect((60...64).allSatisfy { script.isStale($0) })
        // The entities are read, then one is invalidated, then the marks are checked.
        script.machine = late
        let readings = marks.map { (mark: $0, state: script.reading(FetchScript.id(of: $0.entity)).state) }
        _ = script.invalidate(0)
        _ = script.note(script.machine.marksChecked(readings))
        #expect(script.isStale(0))
    }

    // MARK: Errors

    @Test("Errors are forgotten when there are many, and the limit follows what is left")
    mutating func errors() {
        #expect(script.machine.errorsStored(64) == false)
        #expect(script.machine.errorsStored(1) == true)
        script.machine.errorsCounted(50, ifStill: 65, new: 1)
        #expect(script.machine.errorCount == 50)
        #expect(script.machine.errorsStored(48) == false)
        #expect(script.machine.errorsStored(1) == true)
        // An error is stored while they are counted.
        _ = script.machine.errorsStored(1)
        script.machine.errorsCounted(10, ifStill: 99, new: 0)
        #expect(script.machine.errorCount == 100)
    }

    // MARK: Circles

    @Test("A request that would close a circle is refused, names the entities of the circle, and leaves nothing")
    mutating func circle() {
        script = FetchScript(batchLimit: 1)
        _ = script.request([1])
        _ = script.start()
        let first = script.calls[0].node
        #expect(script.request([2], caller: first) == ["read [2]"])
        #expect(script.start() == ["link", "call [2]"])
        let fetches = script.machine.fetches.count
        #expect(script.request([3, 1, 2], caller: script.calls[1].node) == ["refuse 3: cyclic at [1, 2]"])
        #expect(script.machine.fetches.count == fetches)
        #expect(script.finish(3) == [])
        // Once the second call has ended, nothing waits for the first.
        #expect(script.answer(1, with: [2]) == ["unlink", "resume 2: success"])
        #expect(script.request([4], caller: script.calls[0].node) == ["read [4]"])
    }

    @Test("A waiter that is cancelled takes its call out of the graph")
    mutating func cancelledCircle() {
        script = FetchScript(batchLimit: 1)
        _ = script.request([1])
        _ = script.request([2])
        _ = script.start()
        #expect(script.request([2], caller: script.calls[0].node) == [])
        #expect(script.request([1], caller: script.calls[1].node) == ["refuse 4: cyclic at [0]"])
        #expect(script.cancel(3) == ["unlink", "resume 3: cancelled"])
        #expect(script.request([1], caller: script.calls[1].node) == [])
    }
}

extension FetchTaskFate {
    fileprivate var priority: TaskPriority? { if case .runs(let priority) = self { priority } else { nil } }

    fileprivate var isCancelled: Bool { if case .isCancelled = self { true } else { false } }

    fileprivate var hasEnded: Bool { if case .hasEnded = self { true } else { false } }
}
