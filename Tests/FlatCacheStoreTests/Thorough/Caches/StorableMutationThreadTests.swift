import Foundation
import SeededRandom
import TestThreads
import Testing

@testable import FlatCache
@testable import FlatCacheStore

/// Adds one to the number in the text of a memo.
private struct Counting: StorableMutation {
    enum Outcome: String, Codable {
        case confirmed, refused, unknown
    }

    static let storedName = "count"

    var number: Int
    var outcome: Outcome
    var order = MutationOrder.concurrent

    private enum CodingKeys: CodingKey { case number, outcome }

    func change(_ change: inout MutationChanges) {
        change.update(Memo.self, id: Memo(number).id) { $0.text = "\((Int($0.text) ?? 0) + 1)" }
    }

    func send(_ context: MutationContext) async throws {
        switch outcome {
        case .confirmed: return
        case .refused: throw RefusedError()
        case .unknown: try await MutationServer.current.receive("", context)
        }
    }
}

@Suite("Mutations that outlive the process, on several threads", .timeLimit(.minutes(30)), .mayBlock)
struct StorableMutationThreadTests {
    private let fixture = MutationFixture()

    #if DEBUG
    @Test("A mutation that begins while all entities are removed is in the store as long as it is pending")
    func removal() async throws {
        var cache = try await fixture.open()
        cache.set(Memo(1, "0"))
        let begun = Protected<Mutation<Void>?>(nil)
        let isFirst = Protected(true)
        let beginning: @Sendable (SyncPoint) -> Void = { [cache, fixture] point in
            guard point == .ended,
                isFirst.withLock({ isFirst in
                    defer { isFirst = false }; return isFirst
                })
            else { return }
            SyncPoint.$handler.withValue(nil) {
                begun.withLock { $0 = fixture.begin(Counting(number: 1, outcome: .unknown), in: cache) }
            }
        }
        SyncPoint.$handler.withValue(beginning) { cache.removeAll() }
        let mutation = try #require(begun.withLock { $0 })
        #expect(mutation.isPending && cache.count(of: Memo.self) == 0)
        cache.set(Memo(1, "5"))
        cache = try await fixture.restart(cache)
        fixture.register(Counting.self, in: cache)
        #expect(cache.text(1) == "6")
        let again = try #require(cache.pendingMutations.first)
        await fixture.server.received(2)
        fixture.server.answer("")
        try await again.waitForEnd()
        try await cache.flush()
        #expect(fixture.storedCount == 0)
    }
    #endif

    @Test("After a restart, what was confirmed is confirmed, and what was pending is pending")
    func threads() async throws {
        let seed = Seeds.one
        let numbers = 3
        var cache = try await fixture.open()
        // Those of the second half have the mutations that never end, above which changes aren't confirmed.
        cache.set(contentsOf: (0..<2 * numbers).map { Memo($0, "0") })
        let confirmed = Protected([Int](repeating: 0, count: numbers))
        let pending = Protected([Int](repeating: 0, count: numbers))
        let ended = Protected<[Mutation<Void>]>([])
        for round in 0..<Extent.count(3, full: 20) {
            try await onThreads(4) { [cache, fixture] thread in
                var random = SeededGenerator(seed: seed &+ UInt64(round), stream: thread)
                for _ in 0..<Extent.count(60, full: 500) {
                    let number = random.below(numbers)
                    switch random.below(10) {
                    case 0...2:
                        ended.withLock {
                            $0.append(fixture.begin(Counting(number: number, outcome: .refused), in: cache))
                        }
                    case 3...5:
                        let order: MutationOrder = random.below(2) == 0 ? .concurrent : .serial("\(number)")
                        let mutation = Counting(number: number, outcome: .confirmed, order: order)
                        ended.withLock { $0.append(fixture.begin(mutation, in: cache)) }
                        confirmed.withLock { $0[number] += 1 }
                    case 6:
                        if random.below(8) > 0 { continue }
                        fixture.begin(Counting(number: numbers + number, outcome: .unknown), in: cache)
                        pending.withLock { $0[number] += 1 }
                    case 7:
                        // A write of the text would stay when a mutation is confirmed.
                        cache.update(Memo.self, id: Memo(number).id) { $0.authorID = "\(thread)" }
                    case 8: fixture.register(Counting.self, in: cache)
                    default: _ = (cache.keptMutations.count, cache.pendingMutations.count, cache.text(number))
                    }
                }
            } beside: {
                try await cache.flush()
            }
            for mutation in ended.withLock({ $0 }) { _ = try? await mutation.value }
            let all = pending.withLock { $0 }
            try await cache.flush()
            #expect(fixture.storedCount == all.reduce(0, +), "seed \(seed)")
            cache = try await fixture.crash()
            #expect((0..<numbers).map { cache.text($0) } == confirmed.withLock { $0.map { "\($0)" } }, "seed \(seed)")
            try await onThreads(2) { [cache, fixture] _ in fixture.register(Counting.self, in: cache) }
            #expect(cache.pendingMutations.count == all.reduce(0, +) && cache.keptMutations.isEmpty, "seed \(seed)")
            let visible = (confirmed.withLock { $0 } + all).map { "\($0)" }
            #expect((0..<2 * numbers).map { cache.text($0) } == visible, "seed \(seed)")
        }
        #expect(fixture.errors.texts.isEmpty)
    }

    /// Runs a body on threads, and another one again and again until they have ended.
    private func onThreads(
        _ count: Int,
        _ body: @escaping @Sendable (Int) -> Void,
        beside other: () async throws -> Void = {}
    ) async throws {
        let running = Protected(count)
        for number in 0..<count {
            _ = RunningThread {
                body(number)
                running.withLock { $0 -= 1 }
            }
        }
        while running.withLock({ $0 }) > 0 {
            try await other()
            await Task.yield()
        }
    }
}
