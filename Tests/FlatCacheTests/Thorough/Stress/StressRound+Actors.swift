#if DEBUG
import FlatCache
import Foundation
import SeededRandom
import Synchronization

extension StressRound {
    /// So many that a commit of all of them is a large one.
    private static let many = 4_200

    func fill(_ cache: FlatCache) {
        for id in 0..<4 { cache.set(Counter(id: id)) }
        for number in 0..<4 { cache.set(HookedEntity(number, hook)) }
        cache.list("stress", of: Counter.self).append(ids: 0..<4)
    }

    // MARK: Who doesn't stop

    /// Writes until it must stop.
    func write(_ number: UInt64, _ mustStop: () -> Bool) {
        var random = SeededGenerator(seed: seed, stream: Int(number))
        while !mustStop() {
            StressLedger.ofThread?.begin("writes")
            if let (number, request) = requests.withLock({ $0.randomElement(using: &random) }) {
                write(request.body == .list ? 3 : 9, request.id, to: request.cache)
                requests.withLock { $0[number] = nil }
            } else {
                let cache = caches[Int.random(in: 0..<2, using: &random)]
                write(Int.random(in: 0..<10, using: &random), Int.random(in: 0..<4, using: &random), to: cache)
            }
            pause(3)
        }
    }

    private func write(_ way: Int, _ id: Int, to cache: FlatCache) {
        subject.perform(.write, on: cache) {
            switch way {
            case 0: cache.remove(Counter.self, id: id)
            case 1, 5, 6: cache.set(HookedEntity(id, count: way, hook))
            case 2: cache.remove(HookedEntity.self, id: HookedEntity.Identifier(id, hook))
            case 3:
                let list = cache.list("stress", of: Counter.self)
                list.append(ids: [id])
                list.move(id, before: (id + 1) % 4)
            case 4: cache.set(contentsOf: (0...id).map { HookedEntity($0, hook) })
            default: cache.set(Counter(id: id, count: Int(truncatingIfNeeded: nextMoment())))
            }
        }
    }

    /// Reads until it must stop.
    func read(_ number: Int, _ mustStop: () -> Bool) {
        let handles = caches.map { Cached(Counter.self, id: 1, in: $0) }
        var turn = 0
        while !mustStop() {
            turn += 1
            let cache = caches[turn % 2]
            subject.perform(.read, on: cache) {
                switch turn % 4 {
                case 0: for id in 0..<16 { _ = cache.get(Counter.self, id: id + turn / 4 % 8 * 16) }
                case 1: _ = handles[turn % 2].value
                case 2: _ = cache.contains(Counter.self, id: 1_000 + turn % 256)
                default: cache.read { _ = cache.get(Counter.self, id: 1).map { _ in cache.get(Author.self, id: "1") } }
                }
            }
            reads.withLock { $0[number] += 1 }
            pause(3)
        }
    }

    // MARK: Main actions

    func work(_ number: UInt64) {
        var random = SeededGenerator(seed: seed, stream: 100 + Int(number))
        for _ in 0..<24 {
            let first = Int.random(in: 0..<2, using: &random)
            let id = Int.random(in: 0..<4, using: &random)
            step(Int.random(in: 0..<12, using: &random), id, caches[first], caches[1 - first], &random)
            progress.add(1, ordering: .relaxed)
        }
    }

    private func step(
        _ way: Int,
        _ id: Int,
        _ cache: FlatCache,
        _ other: FlatCache,
        _ random: inout SeededGenerator
    ) {
        let ledger = StressLedger.ofThread
        switch way {
        case 0..<4:
            let body = StressSubject.Body.allCases[Int.random(in: 0..<5, using: &random)]
            ledger?.begin("runs the body \(body)")
            run(body, id, cache, other)
        case 4..<7:
            let observed = StressSubject.Observed.allCases[Int.random(in: 0..<5, using: &random)]
            ledger?.begin("observes \(observed)")
            observe(observed, id, in: cache)
        case 7..<10:
            ledger?.begin("cancels")
            cancelOne(Int.random(in: 0..<100, using: &random))
            write(1 + Int.random(in: 0..<2, using: &random), id, to: cache)
        default:
            let way = Int.random(in: 0..<5, using: &random)
            ledger?.begin("uses the whole type in way \(way)")
            ledger?.piecesToCheck = 3
            useWholeType(way, cache)
            ledger?.piecesToCheck = 0
        }
    }

    /// Runs a body that writers overtake, and counts its runs.
    private func run(_ body: StressSubject.Body, _ id: Int, _ cache: FlatCache, _ other: FlatCache) {
        let passesBefore = passes.load(ordering: .sequentiallyConsistent)
        var runs = 0
        subject.run(body, id, in: cache, other) {
            runs += 1
            progress.add(1, ordering: .relaxed)
            // Each other actor may be about to commit what was counted before.
            let passed = passes.load(ordering: .sequentiallyConsistent) - passesBefore + 10
            if runs > 9 + passed {
                complain("a body is overtaken again and again")
                writersMustStop.store(true, ordering: .relaxed)
            }
            waitToBeOvertaken(Overtaking(body: body, id: id, cache: cache))
        }
        passes.add(1, ordering: .sequentiallyConsistent)
    }

    /// Gives writers some turns to write what a body has read; they can't while it has reserved that.
    private func waitToBeOvertaken(_ request: Overtaking) {
        let number = Int(truncatingIfNeeded: nextMoment())
        requests.withLock { $0[number] = request }
        for _ in 0..<100 where requests.withLock({ $0[number] != nil }) { pause(3) }
        requests.withLock { $0[number] = nil }
    }

    private func useWholeType(_ way: Int, _ cache: FlatCache) {
        let counters = (1_000..<1_000 + Self.many).map { Counter(id: $0, count: way) }
        subject.perform(.wholeType, on: cache) {
            switch way {
            case 0: cache.set(contentsOf: counters)
            case 1: cache.removeAll(of: Counter.self)
            case 2: cache.removeAll()
            case 3:
                cache.set(contentsOf: counters)
                _ = cache.read { cache.allValues(of: Counter.self).count + cache.count(of: Counter.self) }
            default:
                cache.transaction {
                    cache.removeAll(of: Counter.self)
                    for counter in counters { cache.set(counter) }
                }
            }
        }
        passes.add(1, ordering: .sequentiallyConsistent)
        fill(cache)
    }

    // MARK: Observers

    /// Begins to observe a counter, with a slow callback that holds a handle and an object that uses the caches.
    func observe(_ observed: StressSubject.Observed, _ id: Int, in cache: FlatCache) {
        let token = Hooked(hook, .releaseCallback)
        let handle = Cached(Counter.self, id: id, in: cache)
        let cancelled = Protected<UInt64?>(nil)
        let number = Int(truncatingIfNeeded: nextMoment())
        // Observing begins with a call.
        StressLedger.ofThread?.commits += 1
        let cancel = subject.observe(observed, id, in: cache) { [self] in
            withExtendedLifetime((token, handle)) { noteCall(of: number, cancelled) }
        }
        observations.withLock { $0.append(Observation(cancel: cancel, cancelled: cancelled)) }
    }

    private func noteCall(of observer: Int, _ cancelled: Protected<UInt64?>) {
        if let ledger = StressLedger.ofThread {
            if let moment = cancelled.withLock({ $0 }), moment < ledger.lastCall {
                complain("a call begins after cancel has returned")
            }
            if !ledger.noteCall(of: observer) {
                complain("a commit calls an observer more than twice")
                writersMustStop.store(true, ordering: .relaxed)
            }
        }
        switch number(0..<8) {
        case 0: for _ in 0..<10 { pause(3) }
        case 1: writeInside()
        default: break
        }
    }

    private func cancelOne(_ number: Int) {
        let observation = observations.withLock { observations in
            observations.isEmpty ? nil : observations.remove(at: number % observations.count)
        }
        guard let observation else { return }
        observation.cancel()
        observation.cancelled.withLock { $0 = nextMoment() }
    }

    // MARK: Hooks and callbacks

    /// What identifiers, entities and callbacks do when they are used or released.
    func useCaches() {
        // What a reader releases, with a snapshot, must not make it wait for those who see whether it gets on.
        if StressLedger.ofThread?.isReader == true { return }
        let cache = caches[number(0..<2)]
        switch number(0..<10) {
        case 0: subject.perform(.read, on: cache) { _ = cache.count(of: HookedEntity.self) }
        case 1: subject.perform(.read, on: cache) { _ = cache.count(of: Counter.self) }
        case 2: subject.perform(.read, on: cache) { _ = cache.get(HookedEntity.self, id: .init(number(0..<4), hook)) }
        case 3: writeInside()
        default: break
        }
    }

    /// Writes from inside of other work: nobody keeps it off.
    private func writeInside() {
        guard mayWriteInside() else { return }
        passes.add(1, ordering: .sequentiallyConsistent)
        write(number(0..<10), number(0..<4), to: caches[number(0..<2)])
    }

    // MARK: Requests

    /// Lets actors ask for authors whose turns don't come then.
    func askFirst() async -> [Task<[String], any Error>] {
        var requests: [Task<[String], any Error>] = []
        for (number, guest) in busy.enumerated() {
            let cache = caches[number % 2]
            let before = cache.waiterCount(of: Author.self)
            requests.append(Task { try await guest.fetchAuthors(["\(number)a", "\(number)b"], from: cache) })
            await guest.executor.run { cache.waiterCount(of: Author.self) == before + 2 }
        }
        return requests
    }

    /// Fetches what busy actors have asked for, in turns from nowhere and from an actor on a thread of its own.
    func fetch(_ number: Int, _ ledger: StressLedger) async {
        for step in 0..<6 {
            let asked = (number + step) % busy.count
            let cache = caches[asked % 2]
            let ids = ["\(asked)a", "\(step)"]
            ledger.begin("fetches \(ids)")
            let fetch: @Sendable (isolated (any Actor)?) async -> Void = { [self] isolation in
                try? await subject.fetch(ids, from: cache, askedForBy: busy[asked], isolation: isolation)
            }
            if number == 0 { await desk.work { await fetch($0) } } else { await fetch(nil) }
            cache.remove(Author.self, id: ids[1])
            progress.add(1, ordering: .relaxed)
        }
    }
}
#endif
