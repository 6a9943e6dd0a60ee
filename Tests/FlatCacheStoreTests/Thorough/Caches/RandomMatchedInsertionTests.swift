import FlatCache
import SeededRandom
import Testing

@testable import FlatCacheStore

/// Inserts a memo below another one, which can have a temporary identifier.
private struct Replying: StorableMutation {
    static let storedName = "reply"

    var memo: Memo
    /// The number of the memo that a list gets, too.
    var named: Int?

    func change(_ change: inout MutationChanges) {
        change.insert(temporary: memo, matching: \.text)
        change.prepend(memo.id, to: FlatCache.current.list("home", of: Memo.self))
        if let named { change.append(Memo(named).id, to: FlatCache.current.list("named", of: Memo.self)) }
    }

    func send(_ context: MutationContext) async throws {
        let named = named.map { context.currentID(of: Memo.self, Memo($0).id).number }
        let sent = try context.entity(Memo.self, id: memo.id)
        // A request of a process that has crashed can reach the server after one of the next process.
        for _ in 0..<(memo.id.number * 7 % 40) { await Task.yield() }
        try await MutationServer.current.receive("\(sent.text) \(named ?? 0)", context)
    }
}

/// Insertions whose entities come by pushes, over restarts and crashes.
///
/// `FLATCACHE_MATCHED=2000` tries more.
@Suite("Random insertions over restarts", .timeLimit(.minutes(30)))
struct RandomMatchedInsertionTests {
    @Test(
        "Each memo is there once over restarts, and in the end all have the numbers of the server",
        arguments: Seeds.first(30, full: 2_000, orAsIn: "FLATCACHE_MATCHED")
    )
    func sequences(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let fixture = MutationFixture()
        var cache = try await fixture.open()
        fixture.register(Replying.self, in: cache)
        /// The numbers of memos that were begun, and those that the server has sent.
        var (begun, pushed): (Set<Int>, Set<Int>) = ([], [])
        var named: Set<Int> = []
        for step in 0..<25 {
            switch random.below(8) {
            case 0, 1, 2:
                let number = begun.count + 1
                let other = begun.isEmpty || random.below(2) == 0 ? nil : 1 + random.below(begun.count)
                fixture.begin(Replying(memo: Memo(number, "text \(number)"), named: other), in: cache)
                begun.insert(number)
                if let other { named.insert(other) }
            case 3, 4: push(received(fixture, pushed).randomElement(using: &random), to: cache, fixture.server, &pushed)
            case 5:
                // Those that the server has confirmed wait for the push.
                if let text = fixture.server.texts.randomElement(using: &random) { fixture.server.answer(text) }
            case 6:
                try await cache.flush()
                cache = try await fixture.crash()
                fixture.register(Replying.self, in: cache)
            default:
                cache = try await fixture.restart(cache)
                fixture.register(Replying.self, in: cache)
            }
            check(cache, begun, "seed \(seed), step \(step)")
        }
        while !cache.pendingMutations.isEmpty {
            for number in received(fixture, pushed) { push(number, to: cache, fixture.server, &pushed) }
            for text in fixture.server.texts { fixture.server.answer(text) }
            await Task.yield()
        }
        check(cache, begun, "seed \(seed), end")
        cache = try await fixture.restart(cache)
        let numbers = Set(cache.allValues(of: Memo.self).map(\.id.number))
        #expect(numbers == Set(begun.map { $0 + 100 }), "seed \(seed)")
        #expect(
            Set(cache.list("named", of: Memo.self).ids.map(\.number)) == Set(named.map { $0 + 100 }),
            "seed \(seed)"
        )
        #expect(fixture.storedCount == 0 && fixture.errors.texts.isEmpty, "seed \(seed)")
    }

    /// The numbers of the memos that the server has received and not sent yet.
    private func received(_ fixture: MutationFixture, _ pushed: Set<Int>) -> [Int] {
        let numbers = fixture.server.texts.compactMap { Int($0.split(separator: " ")[1]) }
        return Set(numbers).subtracting(pushed).sorted()
    }

    private func push(_ number: Int?, to cache: FlatCache, _ server: MutationServer, _ pushed: inout Set<Int>) {
        guard let number else { return }
        // It can send others, which waited for it.
        MutationServer.$current.withValue(server) { cache.set(Memo(number + 100, "text \(number)")) }
        pushed.insert(number)
    }

    private func check(_ cache: FlatCache, _ begun: Set<Int>, _ context: String) {
        let texts = cache.allValues(of: Memo.self).map(\.text)
        #expect(texts.sorted() == begun.map { "text \($0)" }.sorted(), "\(context)")
        let home = cache.list("home", of: Memo.self).ids.map(\.number)
        #expect(Set(home.map { $0 % 100 }) == begun && home.count == begun.count, "\(context): \(home)")
    }
}
