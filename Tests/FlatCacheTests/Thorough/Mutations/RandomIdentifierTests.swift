import SeededRandom
import Testing

@testable import FlatCache

/// Random replacements of identifiers beside writes and mutations, compared with a plain model.
///
/// `FLATCACHE_IDENTIFIERS=10000` tries more.
@Suite("Random replacements of identifiers")
struct RandomIdentifierTests {
    @Test(
        "After each step, everything names current identifiers, and reads follow the replacements",
        arguments: Seeds.first(60, full: 2_000, orAsIn: "FLATCACHE_IDENTIFIERS")
    )
    func sequences(seed: UInt64) async {
        var random = SeededGenerator(seed: seed)
        let cache = FlatCache()
        if seed % 4 == 0 { cache.buildIndex(.init(\Memo.parentID)) }
        // Without mutations, any identifier can replace another one, and the order of insertion is compared.
        var run = IdentifierRun(cache, hasMutations: seed % 3 != 0)
        for step in 0..<60 {
            await run.makeStep(&random)
            run.check("seed \(seed), step \(step)")
        }
        await run.endAll(&random, "seed \(seed), end")
        #expect(cache.pendingMutations.isEmpty)
        #expect(cache.registry.table(of: Memo.self).takeUnretainedValue().layeredKeyCount == 0)
    }
}

/// A cache and its model.
private struct IdentifierRun {
    private let cache: FlatCache
    private let home: CachedList<Memo>
    private let current: CachedReference<Memo>
    private let hasMutations: Bool
    private var model = IdentifierModel()
    private var pending: [(mutation: PendingMutation, answer: ManualAnswer<Memo>, inserted: String?)] = []
    /// The identifiers whose insertions have failed.
    private var failed: Set<String> = []
    private var known = Set(IdentifierRun.pool + ["answered"])
    private let seen = Recorder<(id: String, memo: Memo?)>()
    private let read = Recorder<(id: String, memo: Memo?)>()
    private let handles: [Cached<Memo>]
    private let subscriptions: [CacheSubscription]
    private var lastID = 0

    private static let pool = (0..<5).map { "\($0)" }

    init(_ cache: FlatCache, hasMutations: Bool) {
        self.cache = cache
        self.hasMutations = hasMutations
        home = cache.list("home", of: Memo.self)
        current = cache.reference("current", of: Memo.self)
        handles = Self.pool.map { Cached(Memo.self, id: $0, in: cache) }
        subscriptions = Self.pool.flatMap { [seen, read] id in
            [
                cache.observe(Memo.self, id: id) { seen.record((id, $0.value)) },
                cache.observe {
                    cache.get(Memo.self, id: id)
                } onChange: {
                    read.record((id, $0))
                },
            ]
        }
    }

    private mutating func newID() -> String {
        lastID += 1
        known.insert("n\(lastID)")
        return "n\(lastID)"
    }

    private func anyID(_ random: inout SeededGenerator) -> String {
        let sorted = known.sorted()
        return random.below(3) > 0 ? Self.pool[random.below(5)] : sorted[random.below(sorted.count)]
    }

    /// An identifier for a list or an array.
    ///
    /// Which of two names of one entity keeps its place depends on the order in which a layer and a replacement were made.
    private func anyName(_ random: inout SeededGenerator) -> String {
        let id = anyID(&random)
        return hasMutations ? model.lastID(id) : id
    }

    mutating func makeStep(_ random: inout SeededGenerator) async {
        defer { model.noteStep() }
        model.noteSent(sending.map { pending[$0].mutation.number })
        let id = anyID(&random)
        let memo = Memo(id: id, text: "s\(random.below(99))", parentID: random.below(2) == 0 ? anyID(&random) : nil)
        switch random.below(hasMutations ? 16 : 10) {
        case 0:
            cache.set(memo)
            model.set(memo)
        case 1:
            cache.update(Memo.self, id: id) { $0.text += "u" }
            model.update(id) { $0.text += "u" }
        case 2:
            cache.remove(Memo.self, id: id)
            model.remove(id)
        case 3:
            let name = anyName(&random)
            home.append(ids: [name])
            let listed = model.confirmed.home
            if !listed.contains(name) { model.home.write(listed + [name]) }
        case 4:
            home.remove(id)
            model.home.write(model.confirmed.home.filter { $0 != id })
        case 5:
            let target = random.below(3) == 0 ? nil : id
            current.id = target
            model.current.write(target)
        case 6:
            let folder = MemoFolder(
                id: random.below(2),
                oneID: id,
                arrayIDs: [anyName(&random)],
                keyedIDs: [1: anyID(&random)]
            )
            cache.set(folder)
            model.folders[folder.id]?.write(folder)
        case 7, 8, 9:
            let new = hasMutations || random.below(3) > 0 ? newID() : id
            let old = anyID(&random)
            // A layer keeps the first replacement of an identifier that is used for a second entity.
            if hasMutations, model.isUsedAgain(old) { return }
            let memo = Memo(id: new, text: "r\(random.below(99))", parentID: memo.parentID)
            cache.replaceIdentifier(of: Memo.self, old, with: memo)
            model.replace(old, with: memo)
        case 10, 11, 12: begin(&random, id, memo)
        default: await end(&random)
        }
    }

    private mutating func begin(_ random: inout SeededGenerator, _ id: String, _ memo: Memo) {
        let answer = ManualAnswer<Memo>()
        let inserted = random.below(3) == 0 ? newID() : nil
        let other = anyID(&random)
        var steps: [IdentifierStep] = []
        if let inserted { steps.append(.insert(Memo(id: inserted, text: "draft"))) }
        let named = inserted ?? anyName(&random)
        switch random.below(4) {
        case 0: steps.append(.append(named))
        case 1: steps.append(.refer(named))
        case 2: steps.append(.file(random.below(2), named))
        default: if inserted == nil { steps.append(.edit(id, "m")) }
        }
        if random.below(2) == 0, other != id { steps.append(.edit(other, "e")) }
        let (home, current) = (home, current)
        let mutation = cache.mutate(order: .concurrent) { change in
            for step in steps { step.add(to: &change, home, current) }
        } send: {
            try await answer()
        }
        let isMissing = steps.contains { step in
            if case .edit(let id, _) = step {
                failed.contains(id) && cache.get(Memo.self, id: id) == nil
            } else {
                false
            }
        }
        // A change of an entity whose insertion has failed isn't sent.
        #expect(mutation.isPending == !isMissing)
        if isMissing {
            if let inserted { failed.insert(inserted) }
            return
        }
        pending.append((mutation, answer, inserted))
        model.begin(mutation.number, steps)
    }

    /// The places of mutations that are being sent.
    ///
    /// Those that wait for an insertion are sent later.
    private var sending: [Int] {
        pending.indices.filter { if case .sending = pending[$0].mutation.state { true } else { false } }
    }

    private mutating func end(_ random: inout SeededGenerator) async {
        let sending = sending
        if sending.isEmpty { return }
        model.noteSent(sending.map { pending[$0].mutation.number })
        let (mutation, answer, inserted) = pending.remove(at: sending[random.below(sending.count)])
        let isConfirmed = random.below(3) > 0
        let answered = Memo(id: inserted.map { _ in newID() } ?? "answered", text: "saved")
        if isConfirmed { answer.succeed(answered) } else { answer.fail() }
        _ = try? await mutation.waitForEnd()
        model.end(mutation.number, isConfirmed ? answered : nil, inserted)
        if !isConfirmed, let inserted { failed.insert(inserted) }
        for other in pending where !other.mutation.isPending {
            model.end(other.mutation.number, nil, nil)
            if let inserted = other.inserted { failed.insert(inserted) }
        }
        pending.removeAll { !$0.mutation.isPending }
    }

    mutating func endAll(_ random: inout SeededGenerator, _ context: String) async {
        while !pending.isEmpty {
            await end(&random)
            check("\(context), \(pending.count) pending")
        }
    }

    func check(_ context: String) {
        let visible = model.visible
        let all = cache.allValues(of: Memo.self, inOrder: true)
        #expect(Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) }) == visible.memos, "\(context)")
        check(visible, context)
        cache.confirmed { check(model.confirmed, context) }
        cache.read { check(visible, context) }
        if !hasMutations { #expect(all.map(\.id) == model.order, "\(context)") }
        for (place, id) in Self.pool.enumerated() {
            #expect(handles[place].value == model.memo(id, in: visible), "\(context)")
            #expect(read.elements.last { $0.id == id }?.memo == model.memo(id, in: visible), "\(context) \(id)")
            let key = model.observed[id] ?? id
            #expect(seen.elements.last { $0.id == id }?.memo == visible.memos[key], "\(context) \(id) as \(key)")
        }
        let numbers = pending.map { $0.mutation.number }.sorted()
        #expect(cache.pendingMutations.map(\.number) == numbers, "\(context)")
    }

    private func check(_ state: IdentifierState, _ context: String) {
        for id in known {
            #expect(cache.get(Memo.self, id: id) == model.memo(id, in: state), "\(context) \(id)")
            #expect(cache.contains(Memo.self, id: id) == (model.memo(id, in: state) != nil), "\(context) \(id)")
        }
        #expect(Array(home.ids) == state.home, "\(context)")
        #expect(current.id == state.current, "\(context)")
        for id in 0..<2 { #expect(cache.get(MemoFolder.self, id: id) == state.folders[id], "\(context)") }
    }
}
