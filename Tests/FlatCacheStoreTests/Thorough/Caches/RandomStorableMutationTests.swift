import FlatCache
import Foundation
import SeededRandom
import Testing

@testable import FlatCacheStore

/// Random mutations, answers, registrations, restarts and crashes, compared with a model that keeps the confirmed state and
/// the mutations in the plainest way.
@Suite("Random mutations that outlive the process")
struct RandomStorableMutationTests {
    @Test(
        "After each step, readers see the confirmed state with the mutations that are begun",
        .timeLimit(.minutes(30)),
        arguments: Seeds.first(60, full: 2_000, orAsIn: "FLATCACHE_STORED_MUTATIONS")
    )
    func sequences(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let run = try await StoredRun()
        for step in 0..<80 {
            try await run.makeStep(&random)
            try await run.check("seed \(seed), step \(step)")
        }
    }
}

/// The state that a store keeps.
private struct ModelState {
    struct Pending {
        let text: String
        let number: Int
        let isWriting: Bool
        let order: MutationOrder
        /// Whether it isn't begun by this process.
        var isKept = false
        /// Whether the server has received it from this process.
        var isSent = false
        /// Whether others have written the text since the mutation was sent.
        private(set) var isWritten = false
        /// Whether their last write has removed the memo.
        private(set) var isRemoved = false
        /// The text that they have removed last.
        private var removed: String?

        init(text: String, number: Int, isWriting: Bool, order: MutationOrder) {
            self.text = text
            self.number = number
            self.isWriting = isWriting
            self.order = order
        }

        var key: String? {
            switch order {
            case .byEntity, .concurrent: nil
            case .serial(let key), .latest(let key): key
            }
        }

        func change(_ state: inout (texts: [Int: String], list: [Int])) {
            if isWriting {
                if !isRemoved { state.texts[number] = text }
                if !state.list.contains(number) { state.list.insert(number, at: 0) }
            } else if !isRemoved {
                state.texts[number]? += text
            }
        }

        /// Makes the change to the confirmed state, except for a text that others have written since.
        func confirm(_ state: inout (texts: [Int: String], list: [Int])) {
            let old = state.texts[number]
            change(&state)
            if isRemoved { return }
            if isWriting { state.texts[number] = text + " (server)" }
            if isWritten, let old { state.texts[number] = old }
        }

        /// Others write or remove the text.
        mutating func noteWrite(of new: String?, over old: String?) {
            isRemoved = new == nil
            guard let new else { return removed = old ?? removed }
            if let known = old ?? removed ?? (isWriting ? text : nil), known != new { isWritten = true }
        }

        /// The notes end with the process.
        mutating func forgetWrites() { (isWritten, isRemoved, removed) = (false, false, nil) }
    }

    var confirmed: (texts: [Int: String], list: [Int]) = ([:], [])
    var pending: [Pending] = []

    /// The confirmed state with the changes of the mutations that are begun.
    var visible: (texts: [Int: String], list: [Int]) {
        pending.filter { !$0.isKept }.reduce(into: confirmed) { $1.change(&$0) }
    }

    /// Whether a mutation is the first one of those with its key.
    func isFirst(_ place: Int) -> Bool {
        guard let key = pending[place].key else { return true }
        return pending.firstIndex { $0.key == key } == place
    }

    /// Whether the change doesn't wait for those of earlier mutations when it is confirmed.
    func isLowest(_ place: Int) -> Bool {
        let mutation = pending[place]
        return !pending[..<place].contains {
            !$0.isKept && ($0.number == mutation.number || $0.isWriting && mutation.isWriting)
        }
    }

    /// Notes a write for the mutations that didn't know it when they were sent.
    mutating func write(_ number: Int, _ new: String?) {
        let old = confirmed.texts[number]
        confirmed.texts[number] = new
        if old == nil && new == nil { return }
        for place in pending.indices where pending[place].number == number && pending[place].isSent {
            pending[place].noteWrite(of: new, over: old)
        }
    }

    mutating func begin(_ new: Pending) {
        if case .latest(let key) = new.order {
            let sent = pending.firstIndex { $0.key == key }.map { pending[$0] }
            pending.removeAll { $0.key == key && ($0.isKept || $0.text != sent?.text) }
        }
        pending.append(new)
    }
}

/// A cache, its store and the model.
private final class StoredRun {
    private let fixture = MutationFixture()
    private var cache: FlatCache
    private var model = ModelState()
    /// What the store has.
    private var stored = ModelState()
    private var requests = 0
    private var lastText = 0

    init() async throws {
        cache = try await fixture.open()
    }

    func makeStep(_ random: inout SeededGenerator) async throws {
        switch random.below(24) {
        case 0..<8: begin(&random)
        case 8..<13: try await answer(&random)
        case 13: cancel(&random)
        case 14..<17: write(&random)
        case 17: try await flush()
        case 18:
            try await flush()
            try await start(fixture.restart(cache))
        case 19: try await start(fixture.crash())
        case 20, 21: register(isWriting: random.below(2) == 0)
        case 22: discard(&random)
        default:
            if random.below(4) > 0 { return }
            cache.removeAll()
            model = ModelState()
        }
        // Those that became first are sent.
        for place in model.pending.indices where model.isFirst(place) && !model.pending[place].isKept {
            if !model.pending[place].isSent { requests += 1 }
            model.pending[place].isSent = true
        }
        await fixture.server.received(requests)
    }

    private func begin(_ random: inout SeededGenerator) {
        lastText += 1
        let isWriting = random.below(3) == 0
        let number = random.below(3)
        // Mutations with keys don't wait for those of their memos, too.
        let isAlone = !model.pending.contains { $0.number == number }
        let orders: [MutationOrder] = isAlone ? [.concurrent, .serial("k"), .latest("k"), .serial("l")] : [.concurrent]
        let mutation = ModelState.Pending(
            text: "+\(lastText)",
            number: number,
            isWriting: isWriting,
            order: random.pick(from: orders)
        )
        register(isWriting: isWriting)
        model.begin(mutation)
        if isWriting {
            fixture.begin(Writing(Memo(mutation.number, mutation.text), order: mutation.order), in: cache)
        } else {
            fixture.begin(Appending(mutation.number, mutation.text, order: mutation.order), in: cache)
        }
    }

    private func answer(_ random: inout SeededGenerator) async throws {
        let begun = model.pending.indices.filter { !model.pending[$0].isKept }
        let sent = begun.indices.filter { model.pending[begun[$0]].isSent && model.isLowest(begun[$0]) }
        if sent.isEmpty { return }
        let place = random.pick(from: sent)
        let mutation = cache.pendingMutations[place]
        let ended = model.pending.remove(at: begun[place])
        let isConfirmed = random.below(3) > 0
        if isConfirmed { ended.confirm(&model.confirmed) }
        fixture.server.answer(ended.text, with: isConfirmed ? nil : RefusedError())
        _ = try? await (mutation as? Mutation<Void>)?.value
        _ = try? await (mutation as? Mutation<Memo>)?.value
    }

    private func cancel(_ random: inout SeededGenerator) {
        let begun = model.pending.indices.filter { !model.pending[$0].isKept }
        if begun.isEmpty { return }
        let place = random.below(begun.count)
        let isWaiting = !model.isFirst(begun[place])
        #expect(cache.pendingMutations[place].cancel() == isWaiting)
        if isWaiting { model.pending.remove(at: begun[place]) }
    }

    private func write(_ random: inout SeededGenerator) {
        let number = random.below(3)
        if random.below(4) == 0 {
            cache.remove(Memo.self, id: Memo(number).id)
            model.write(number, nil)
        } else {
            lastText += 1
            cache.set(Memo(number, "\(lastText)"))
            model.write(number, "\(lastText)")
        }
    }

    private func flush() async throws {
        try await cache.flush()
        stored = model
        #expect(fixture.storedCount == model.pending.count)
    }

    private func start(_ cache: FlatCache) {
        self.cache = cache
        model = stored
        for place in model.pending.indices {
            model.pending[place].isKept = true
            model.pending[place].isSent = false
            model.pending[place].forgetWrites()
        }
    }

    private func register(isWriting: Bool) {
        if isWriting { fixture.register(Writing.self, in: cache) } else { fixture.register(Appending.self, in: cache) }
        for place in model.pending.indices where model.pending[place].isWriting == isWriting {
            model.pending[place].isKept = false
        }
    }

    private func discard(_ random: inout SeededGenerator) {
        let kept = model.pending.indices.filter { model.pending[$0].isKept }
        if kept.isEmpty { return }
        let place = random.below(kept.count)
        #expect(fixture.discard(cache.keptMutations[place], in: cache))
        model.pending.remove(at: kept[place])
    }

    func check(_ context: String) async throws {
        let (visible, confirmed) = (model.visible, model.confirmed)
        let numbers = 0..<3
        #expect(numbers.map { cache.text($0) } == numbers.map { visible.texts[$0] }, "\(context)")
        #expect(numbers.map { cache.confirmedText($0) } == numbers.map { confirmed.texts[$0] }, "\(context)")
        let list = cache.list("a", of: Memo.self)
        #expect(list.ids.map(\.number) == visible.list, "\(context)")
        #expect(cache.confirmed { list.ids.map(\.number) } == confirmed.list, "\(context)")
        let kept = model.pending.filter(\.isKept).map { $0.isWriting ? "write" : "append" }
        #expect(cache.keptMutations.map(\.name) == kept, "\(context)")
        let begun = model.pending.filter { !$0.isKept }
        try #require(cache.pendingMutations.count == begun.count, "\(context)")
        let keys = Dictionary(grouping: fixture.server.requests, by: \.text).mapValues { Set($0.map(\.key)).count }
        #expect(keys.values.allSatisfy { $0 == 1 }, "\(context)")
        #expect(fixture.errors.texts.isEmpty && fixture.server.requests.count == requests, "\(context)")
    }
}
