#if DEBUG
import Foundation
import SeededRandom
import Synchronization
import TestThreads
import Testing

@testable import FlatCache

/// A round of random stress: what an app does to two caches at once, at its worst.
///
/// Writers never stop until the main actions of the round have ended, and neither do readers. The main actions are bodies
/// that writers overtake, operations on whole types, observers that come and are cancelled, and requests for what an actor
/// has asked for whose turn doesn't come. Callbacks are slow, write, and hold handles and objects that use both caches when
/// they are released; so do identifiers when they are read, hashed, compared or released. Some consumers never read.
///
/// The seed replays a round's decisions; what the scheduler decides is its own.
final class StressRound: Sendable {
    static let workerCount = 3
    private static let writerCount = 2
    private static let readerCount = 2
    private static let fetcherCount = 3

    let seed: UInt64
    private let readerPatience: Int
    let subject: StressSubject
    let caches = [FlatCache(), FlatCache()]
    let hook = Hook()
    /// The actors that ask first, and whose turns don't come until the main actions have ended.
    let busy = (0..<4).map { _ in Guest() }
    let desk = Desk()
    let observations = Protected<[Observation]>([])

    /// What hooks and callbacks decide.
    private let random: Protected<SeededGenerator>
    private let complaints = Protected<Set<String>>([])
    private let ledgers: [StressLedger]
    private let mainActionsEnd = Promise<Void>()
    private let hasEnded = Gate("the main actions have ended")

    /// The main actions that have not ended.
    private let unended = Atomic(workerCount + fetcherCount)
    let writersMustStop = Atomic(false)
    /// What the main actions have done.
    let progress = Atomic(0)
    /// The bodies that want to be overtaken by a writer, by number.
    let requests = Protected<[Int: Overtaking]>([:])
    /// The commits that a body which has reserved what it reads must let pass: of bodies and callbacks.
    let passes = Atomic(0)
    /// How many writes hooks and callbacks may still make, which would go on for ever otherwise.
    private let budget = Atomic(300)
    let reads = Protected([Int](repeating: 0, count: readerCount))
    private let hasFoundWaitingReader = Atomic(false)
    private let lastMoment = Atomic<UInt64>(0)

    /// A body that wants a writer to write what it has read.
    struct Overtaking: Sendable {
        let body: StressSubject.Body
        let id: Int
        let cache: FlatCache
    }

    /// A running observation.
    struct Observation: Sendable {
        let cancel: @Sendable () -> Void
        /// When `cancel` had returned.
        let cancelled: Protected<UInt64?>
    }

    /// Creates a round.
    ///
    /// - Parameters:
    ///   - seed: What it decides.
    ///   - subject: What uses the caches.
    ///   - readerPatience: After how many turns of somebody who waits for a reader that is taken to hang.
    init(seed: UInt64, _ subject: StressSubject = StressSubject(), readerPatience: Int = 3_000_000) {
        self.seed = seed
        self.readerPatience = readerPatience
        self.subject = subject
        random = Protected(SeededGenerator(seed: seed))
        ledgers = (0..<Self.workerCount + Self.fetcherCount).map { _ in StressLedger() }
    }

    /// Runs it, and says what has gone wrong.
    ///
    /// - Parameter patience: How many turns to look whether the main actions get on before that is given up; `nil` for
    ///   as long as a test waits for a gate.
    func complaints(patience: Int? = nil) async -> Set<String> {
        for cache in caches {
            fill(cache)
            cache.setFetcher(of: Author.self) { ids in ids.map { Author(id: $0) } }
        }
        var consumers = caches.map { cache in
            SlowConsumer.beginReading(HookedEntity.self, id: HookedEntity.Identifier(1, hook), in: cache)
        }
        for cache in caches {
            for consumer in SlowConsumer.allCases { consumers.append(await consumer.begin(1, in: cache)) }
        }
        subject.beginSlowConsumer()
        for number in 0..<6 { observe(.allCases[number % 5], number % 4, in: caches[number % 2]) }
        let requests = await askFirst()

        let isOver = Protected(false)
        let readers = (0..<Self.readerCount).map { number in
            start(StressLedger(isReader: true)) { self.read(number) { isOver.withLock { $0 } } }
        }
        // Who makes a handle may wait for a large commit; who has one doesn't.
        await until { reads.withLock { !$0.contains(0) } }
        hook.set { [self] _ in useCaches() }
        let writers = (0..<Self.writerCount).map { number in
            start(StressLedger()) { self.write(UInt64(number)) { self.writersMustStop.load(ordering: .relaxed) } }
        }
        let workers = (0..<Self.workerCount).map { number in
            start(ledgers[number], isMain: true) {
                self.work(UInt64(number))
                self.endMainAction(number)
            }
        }
        let fetchers = (0..<Self.fetcherCount).map { number in
            Task.detached { [self] in
                await fetch(number, ledgers[Self.workerCount + number])
                endMainAction(Self.workerCount + number)
            }
        }
        _ = RunningThread {
            self.watch(patience)
            self.mainActionsEnd.fulfil(())
        }
        await mainActionsEnd.value
        let hangs = patience == nil && unended.load(ordering: .sequentiallyConsistent) > 0
        if hangs { return complaints.withLock { $0 } }

        writersMustStop.store(true, ordering: .relaxed)
        await finish(requests, fetchers)
        for worker in workers { worker.finish() }
        isOver.withLock { $0 = true }
        for other in readers + writers { other.finish() }
        await cleanUp(&consumers)
        return complaints.withLock { $0 }
    }

    /// Starts a thread that keeps a ledger.
    private func start(
        _ ledger: StressLedger,
        isMain: Bool = false,
        _ body: @escaping @Sendable () -> Void
    ) -> RunningThread {
        RunningThread { [self] in
            StressLedger.$ofThread.withValue(ledger) {
                let handler: @Sendable (SyncPoint) -> Void = { [self] point in
                    if isMain { progress.add(1, ordering: .relaxed) }
                    reach(point, ledger)
                }
                SyncPoint.$handler.withValue(handler, operation: body)
            }
        }
    }

    private func endMainAction(_ number: Int) {
        ledgers[number].begin("ended")
        if unended.subtract(1, ordering: .sequentiallyConsistent).newValue == 0 { hasEnded.open() }
    }

    /// Waits until the main actions have ended, or says who hangs.
    ///
    /// That is for a thread, because all threads of tasks may be among those who hang.
    private func watch(_ patience: Int?) {
        let haveEnded = patience.map(getOn) ?? hasEnded.opens(within: 120)
        if haveEnded { return }
        for (number, ledger) in ledgers.enumerated() {
            let step = ledger.step.withLock { $0 }
            let actor = number < Self.workerCount ? "thread" : "task"
            if step != "ended" { complain("nobody gets on: \(actor) \(number) \(step)") }
        }
        // Nothing may ever come out of the test otherwise.
        if patience == nil { print("seed \(seed):", complaints.withLock { $0 }.sorted()) }
        subject.repair()
    }

    /// - Returns: Whether the main actions have ended; not if they haven't done anything for many turns.
    private func getOn(_ patience: Int) -> Bool {
        var turns = 0
        var last = 0
        while unended.load(ordering: .sequentiallyConsistent) > 0 {
            pause(3)
            let now = progress.load(ordering: .relaxed)
            turns = now == last ? turns + 1 : 0
            last = now
            if turns > patience { return false }
        }
        return true
    }

    /// Lets the turns of the busy actors come, until all requests are answered.
    private func finish(_ requests: [Task<[String], any Error>], _ fetchers: [Task<Void, Never>]) async {
        let isOver = Protected(false)
        let turning = Task { [busy] in
            await until {
                for guest in busy { guest.executor.step() }
                return isOver.withLock { $0 }
            }
        }
        for request in requests { _ = try? await request.value }
        for fetcher in fetchers { await fetcher.value }
        isOver.withLock { $0 = true }
        await turning.value
    }

    private func cleanUp(_ consumers: inout [any Sendable]) async {
        for observation in observations.withLock({ $0 }) { observation.cancel() }
        let released = observations.withLock { observations in
            defer { observations = [] }
            return observations
        }
        withExtendedLifetime(released) {}
        consumers = []
        await Delivery.waitForTasks()
        hook.set(nil)
        for cache in caches {
            cache.removeFetcher(of: Author.self)
            cache.removeAll()
            let count = cache.slotCount(of: Counter.self) + cache.slotCount(of: HookedEntity.self)
            if count > 0 || cache.isWatched(Counter.self) { complain("slots have remained: \(count)") }
        }
    }
}

// MARK: What is promised

extension StressRound {
    func complain(_ complaint: String) { complaints.withLock { _ = $0.insert(complaint) } }

    func nextMoment() -> UInt64 { lastMoment.add(1, ordering: .sequentiallyConsistent).newValue }

    /// A number that hooks and callbacks draw.
    func number(_ range: Range<Int>) -> Int { random.withLock { Int.random(in: range, using: &$0) } }

    /// Takes the right to one more write from inside of other work.
    func mayWriteInside() -> Bool { budget.subtract(1, ordering: .relaxed).newValue >= 0 }

    private func reach(_ point: SyncPoint, _ ledger: StressLedger) {
        switch point {
        case .committed: ledger.commits += 1
        case .taken:
            // Others may cancel meanwhile.
            if number(0..<8) == 0 { pause(3) }
            ledger.lastCall = nextMoment()
        case .piece where ledger.piecesToCheck > 0 && !hasFoundWaitingReader.load(ordering: .relaxed):
            ledger.piecesToCheck -= 1
            waitForReaders()
        default: break
        }
    }

    /// Waits until each reader has read keys of all shards while no piece is under way.
    private func waitForReaders() {
        let before = reads.withLock { $0 }
        var turns = 0
        while zip(reads.withLock { $0 }, before).contains(where: { $0 < $1 + 32 }) {
            turns += 1
            pause(3)
            if turns == readerPatience {
                hasFoundWaitingReader.store(true, ordering: .relaxed)
                return complain("a reader waits for an operation on a whole type")
            }
        }
    }
}
#endif
