import FlatCache
import SeededRandom
import Testing

@testable import FlatCacheStore

/// Two caches that write a folder in turn, and one that reads it, with random writes, replaced identifiers and pending mutations in
/// all of them, compared with a model.
@Suite("Random replacements by several processes, beside pending mutations", .timeLimit(.minutes(30)))
struct RandomReplacedElsewhereTests {
    @Test("Each cache shows what it knows, with its pending mutations", arguments: Seeds.first(30, full: 1_000))
    func turns(seed: UInt64) async throws {
        let run = try await TurnRun(seed)
        for step in 0..<80 {
            try await run.step()
            if let difference = try await run.difference() {
                Issue.record("seed \(seed), step \(step), after \(run.last): \(difference)")
                return
            }
        }
    }
}

/// What is confirmed, by the numbers of memos.
private struct Confirmed {
    var texts: [Int: String] = [:]
    var targets: [Int: Int] = [:]
    var list: [Int] = []

    /// The number under which a memo is read.
    func current(_ number: Int) -> Int {
        var number = number
        while texts[number] == nil, let next = targets[number] { number = next }
        return number
    }

    func last(_ number: Int) -> Int {
        var number = number
        while let next = targets[number] { number = next }
        return number
    }
}

/// A cache, and what it should show.
private final class Turn {
    struct Pending {
        let mutation: Mutation<Void>
        let request: Request
        let suffix: String
        /// The number of the memo that is changed.
        var number: Int
        /// The number that is appended to the list.
        let listed: Int?
        /// The text before others have written it since the mutation was sent, or `nil` if they haven't.
        var base: String??
        /// Whether their last write has removed the memo.
        var isRemoved = false

        var isSent: Bool { if case .sending = mutation.state { true } else { false } }
    }

    let name: String
    let cache: FlatCache
    let store: FileStore
    var known = Confirmed()
    var pending: [Pending] = []

    init(_ name: String, _ cache: FlatCache, _ store: FileStore) {
        self.name = name
        self.cache = cache
        self.store = store
    }

    var list: CachedList<Memo> { cache.list("a", of: Memo.self) }

    /// Notes a write for the mutations that didn't know it when they were sent.
    func note(_ number: Int, _ new: String?, isMoved: Bool = false) {
        let old = known.texts[number]
        if new == nil && old == nil && !isMoved { return }
        for place in pending.indices where pending[place].number == number && pending[place].isSent {
            if pending[place].base == nil { pending[place].base = .some(old) }
            pending[place].isRemoved = new == nil && !isMoved
        }
    }

    /// Confirms a change.
    ///
    /// If others have written the text since it was sent, it depends on what this cache had in memory whether theirs stays.
    func confirm(_ ended: Pending) {
        guard let text = known.texts[ended.number], !ended.isRemoved else { return }
        let changed = text + ended.suffix
        let new = ended.base != nil && cache.confirmedText(ended.number) == text ? text : changed
        known.texts[ended.number] = new
        for place in pending.indices where pending[place].number == ended.number {
            if let base = pending[place].base, base != nil { pending[place].base = .some(new) }
        }
    }

    /// The place of a mutation that can end, or `nil` if there is none.
    func ending(_ random: inout SeededGenerator) -> Int? {
        let places = pending.indices.filter { place in
            // Confirmed changes would wait for those of earlier mutations.
            pending[place].isSent
                && !pending[..<place].contains {
                    $0.number == pending[place].number || $0.listed != nil && pending[place].listed != nil
                }
        }
        return places.isEmpty ? nil : random.pick(from: places)
    }

    /// Learns what another process has written.
    func learn(_ confirmed: Confirmed) {
        for number in Set(known.texts.keys).union(confirmed.texts.keys)
        where known.texts[number] != confirmed.texts[number] {
            let isMoved = confirmed.targets[number] != nil && known.targets[number] != confirmed.targets[number]
            note(number, confirmed.texts[number], isMoved: isMoved)
        }
        for place in pending.indices {
            let number = pending[place].number
            if let new = confirmed.targets[number], known.targets[number] != new {
                pending[place].number = confirmed.last(new)
            }
        }
        known = confirmed
    }

    /// Compares the cache with the model.
    func difference(of numbers: Range<Int>) async throws -> String? {
        for number in numbers { _ = try? await cache.fetch(Memo.self, id: Memo(number).id, .cacheOnly) }
        for number in numbers {
            let current = known.current(number)
            let confirmed = known.texts[current]
            if cache.confirmedText(number) != confirmed {
                return
                    "\(name), \(number): \(cache.confirmedText(number) as Any) confirmed instead of \(confirmed as Any)"
            }
            let shown = confirmed.map { text in
                pending.reduce(text) { $1.number == current && !$1.isRemoved ? $0 + $1.suffix : $0 }
            }
            if cache.text(number) != shown {
                return "\(name), \(number): \(cache.text(number) as Any) shown instead of \(shown as Any)"
            }
        }
        var listed = known.list
        for number in pending.compactMap(\.listed).map(known.last) where !listed.contains(number) {
            listed.append(number)
        }
        let ids = list.ids.map(\.number)
        return ids == listed ? nil : "\(name): the list has \(ids) instead of \(listed)"
    }
}

private final class TurnRun {
    private static let numbers = 0..<12

    private var random: SeededGenerator
    private let folder = TemporaryFolder()
    private let turns: [Turn]
    private var writer = 0
    private var texts = 0
    /// All that have ever replaced a number.
    private var replaced: [Int: Set<Int>] = [:]
    private(set) var last = "nothing"

    init(_ seed: UInt64) async throws {
        random = SeededGenerator(seed: seed)
        var turns: [Turn] = []
        for name in ["first", "second", "reader"] {
            let store = FileStore(at: folder.url)
            let isOnDemand = random.below(2) == 0
            let cache = try await openCache(
                store,
                for: isOnDemand ? [Author.self] : [Author.self, Memo.self],
                onDemand: isOnDemand ? [Memo.self] : [],
                name == "reader" ? .readOnly : .readWrite
            )
            if name != "reader" { try await cache.store?.suspend() }
            turns.append(Turn("\(name)\(isOnDemand ? " on demand" : "")", cache, store))
        }
        self.turns = turns
        try await turns[0].cache.store?.resume()
    }

    func difference() async throws -> String? {
        for turn in turns {
            if let difference = try await turn.difference(of: Self.numbers) { return difference }
        }
        return nil
    }

    func step() async throws {
        let any = random.pick(from: turns)
        switch random.below(12) {
        case 0: set()
        case 1: replace()
        case 2: remove()
        case 3: try await changeTurns()
        case 4: try await refresh()
        case 5, 6: begin(in: any)
        case 7: await end(in: any, fails: true)
        case 8: await end(in: turns[writer], fails: false)
        case 9: list()
        case 10: update()
        default: replace()
        }
    }

    // MARK: - Confirmed writes

    private func number() -> Int { random.pick(from: Self.numbers) }

    private func text() -> String {
        texts += 1
        return "t\(texts)"
    }

    private func set() {
        let (number, text) = (number(), text())
        last = "set \(number)"
        turns[writer].cache.set(Memo(number, text))
        turns[writer].note(number, text)
        turns[writer].known.texts[number] = text
    }

    private func update() {
        let number = number()
        last = "update \(number)"
        turns[writer].cache.update(Memo.self, id: Memo(number).id) { $0.text += "u" }
        let current = turns[writer].known.current(number)
        guard let text = turns[writer].known.texts[current] else { return }
        turns[writer].note(current, text + "u")
        turns[writer].known.texts[current] = text + "u"
    }

    private func remove() {
        let number = number()
        last = "remove \(number)"
        turns[writer].cache.remove(Memo.self, id: Memo(number).id)
        let current = turns[writer].known.current(number)
        turns[writer].note(current, nil)
        turns[writer].known.texts[current] = nil
    }

    private func list() {
        let turn = turns[writer]
        let number = number()
        last = "list \(number)"
        if turn.known.targets[number] != nil || turn.known.list.contains(number) { return }
        turn.list.append(ids: [Memo(number).id])
        turn.known.list.append(number)
    }

    private func replace() {
        let turn = turns[writer]
        let (number, new, text) = (number(), number(), text())
        var stored = turn.known
        stored.texts[new] = text
        let old = stored.current(number)
        // It isn't known which one counts, if everything is read again.
        if old == new || replaced[old]?.contains(new) == true { return }
        last = "replace \(number), \(old) by \(new)"
        replaced[old, default: []].insert(new)
        turn.cache.replaceIdentifier(of: Memo.self, Memo(number).id, with: Memo(new, text))
        turn.note(new, text)
        turn.note(old, nil, isMoved: true)
        turn.known.texts[new] = text
        turn.known.texts[old] = nil
        turn.known.targets[new] = nil
        turn.known.targets[old] = new
        for place in turn.pending.indices where turn.pending[place].number == old { turn.pending[place].number = new }
        guard let place = turn.known.list.firstIndex(of: old) else { return }
        if turn.known.list.contains(new) { turn.known.list.remove(at: place) } else { turn.known.list[place] = new }
    }

    // MARK: - Turns

    private func changeTurns() async throws {
        last = "the other's turn"
        let turn = turns[writer]
        try await turn.cache.flush()
        if random.below(3) == 0 { try turn.store.compact() }
        try await turn.cache.store?.suspend()
        writer = 1 - writer
        try await turns[writer].cache.store?.resume()
        turns[writer].learn(turn.known)
    }

    private func refresh() async throws {
        last = "refresh"
        try await turns[writer].cache.flush()
        try await turns[2].cache.store?.refresh()
        turns[2].learn(turns[writer].known)
    }

    // MARK: - Mutations

    private func begin(in turn: Turn) {
        let (number, suffix, request) = (number(), "+\(texts)", Request())
        texts += 1
        last = "begin of \(suffix) of \(number) in the \(turn.name)"
        let isListed = random.below(2) == 0 && turn.known.targets[number] == nil
        let list = turn.list
        let mutation = turn.cache.mutate { change in
            change.update(Memo.self, id: Memo(number).id) { $0.text += suffix }
            if isListed { change.append(Memo(number).id, to: list) }
        } send: {
            try await request.send()
        }
        let current = turn.known.current(number)
        turn.pending.append(
            .init(
                mutation: mutation,
                request: request,
                suffix: suffix,
                number: current,
                listed: isListed ? number : nil
            )
        )
    }

    private func end(in turn: Turn, fails: Bool) async {
        guard let place = turn.ending(&random) else { return }
        let pending = turn.pending.remove(at: place)
        last = "\(fails ? "failure" : "end") of \(pending.suffix) in the \(turn.name)"
        pending.request.answer(fails ? RefusedError() : nil)
        _ = try? await pending.mutation.value
        if fails { return }
        turn.confirm(pending)
        guard let listed = pending.listed.map(turn.known.last), !turn.known.list.contains(listed) else { return }
        turn.known.list.append(listed)
    }
}
