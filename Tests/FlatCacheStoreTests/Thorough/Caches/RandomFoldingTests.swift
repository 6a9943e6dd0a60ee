import FlatCache
import Foundation
import SeededRandom
import Testing

@testable import FlatCacheStore

/// Random writes of cards and tallies, compared with a model that forgets nothing.
///
/// The operations are partial answers and payloads, merges, patches, updates, removals, evictions, marks as stale, flushes and
/// restarts. All answers come from a fetcher that returns what the test says.
@Suite("Random writes to entities that are only in the store lose nothing")
struct RandomFoldingTests {
    @Test("What a limit has evicted", arguments: Seeds.first(20, full: 500))
    func evicted(seed: UInt64) async throws { try await run(.evicted, seed) }

    @Test("What is kept on demand", arguments: Seeds.first(20, full: 500))
    func onDemand(seed: UInt64) async throws { try await run(.onDemand, seed) }

    private func run(_ absence: Absence, _ seed: UInt64) async throws {
        let run = try await FoldingRun(absence, seed)
        for step in 0..<150 {
            try await run.step()
            // A memory of all steps would be long, so the seed replays them.
            if let difference = try await run.difference() {
                Issue.record("seed \(seed), step \(step), after \(run.last): \(difference)")
                return
            }
        }
        try await run.restart()
        if let difference = try await run.difference(all: true) {
            Issue.record("seed \(seed), at the end: \(difference)")
        }
    }
}

/// A cache with a limit, and what it should have.
private final class FoldingRun {
    private let absence: Absence
    private let folder = FoldingFolder()
    private let answer = Protected("[]")
    private var random: SeededGenerator
    private var cache: FlatCache
    private var cards: [Int: Card] = [:]
    private var tallies: [Int: Tally] = [:]
    private(set) var last = "nothing"

    init(_ absence: Absence, _ seed: UInt64) async throws {
        self.absence = absence
        random = SeededGenerator(seed: seed)
        cache = try await folder.open(absence)
        prepare()
    }

    /// Sets the limits and fetchers of a new cache.
    private func prepare() {
        cache.setLimit(5, for: Card.self)
        cache.setLimit(5, for: Tally.self)
        let answer = answer
        cache.setFetcher(of: Card.self) { (_: Set<Int>) in try payload([Card].self, answer.withLock { $0 }) }
        cache.setFetcher(of: Tally.self) { (_: Set<Int>) in try payload([Tally].self, answer.withLock { $0 }) }
    }

    private func flush() async throws {
        last = "flush"
        try await cache.flush()
    }

    private func collect() {
        last = "collection"
        cache.collect()
    }

    func restart() async throws {
        last = "restart"
        try await cache.store?.close()
        cache = try await folder.open(absence)
        prepare()
    }

    /// Compares an entity of each type, or all, with the model.
    func difference(all: Bool = false) async throws -> String? {
        for id in all ? Array(0..<20) : [random.below(20)] {
            let card = try? await cache.fetch(Card.self, id: id, .cacheOnly)
            if card != cards[id] { return "\(card as Any) instead of \(cards[id] as Any)" }
            let tally = try? await cache.fetch(Tally.self, id: id, .cacheOnly)
            if tally != tallies[id] { return "\(tally as Any) instead of \(tallies[id] as Any)" }
        }
        return nil
    }

    func step() async throws {
        let kind = random.below(16)
        switch kind {
        case 0, 1: try await flush()
        case 2: collect()
        case 3 where random.below(4) == 0: try await restart()
        case 4 where random.below(10) == 0: removeAll()
        case 5: remove()
        case 6: invalidate()
        case 7: update()
        case 8: await patch()
        case 9: await updateLoaded()
        case 10, 11: try await fetchTallies()
        case 12: try await fetchCards()
        case 13: try await list()
        default: try await load()
        }
    }

    // MARK: - Writes that depend on the stored entity

    private func fetchCards() async throws {
        let (ids, json) = response()
        last = "fetch of \(json)"
        answer.withLock { $0 = json }
        _ = try? await cache.fetch(Card.self, ids: ids, .networkOnly)
    }

    private func fetchTallies() async throws {
        let ids = someIDs()
        let marks = ids.map { _ in random.below(1_000) }
        answer.withLock {
            $0 = "[" + zip(ids, marks).map { #"{"id": \#($0), "marks": [\#($1)]}"# }.joined(separator: ",") + "]"
        }
        last = "fetch of tallies \(ids)"
        _ = try await cache.fetch(Tally.self, ids: ids, .networkOnly)
        for (id, mark) in zip(ids, marks) { tallies[id, default: Tally(id: id, marks: [])].marks.insert(mark) }
    }

    private func load() async throws {
        let (_, json) = response()
        last = "payload \(json)"
        _ = await cache.loadAndStore(
            try payload([Card].self, json),
            since: random.below(2) == 0 ? cache.revision() : nil
        )
    }

    private func list() async throws {
        let (_, json) = response()
        last = "list of \(json)"
        let (list, cards) = (cache.list("home", of: Card.self), try payload([Card].self, json))
        _ = await cache.withLoaded(cards) { list.replace(with: cards) }
    }

    private func patch() async {
        let (id, stars) = (random.below(20), random.below(100))
        last = "patch of \(id)"
        await cache.withLoaded(Card.self, ids: [id]) { _ = cache.store(Rating(id: id, stars: stars)) }
        cards[id, default: Card(id: id, title: "made")].stars = stars
    }

    private func updateLoaded() async {
        let (id, mark) = (random.below(20), random.below(1_000))
        last = "update of \(id)"
        await cache.withLoaded(Card.self, ids: [id]) { _ = cache.update(Card.self, id: id) { $0.stars = mark } }
        cards[id]?.stars = mark
        await cache.withLoaded(Tally.self, ids: [id]) { _ = cache.insertIfAbsent(Tally(id: id, marks: [mark])) }
        if tallies[id] == nil { tallies[id] = Tally(id: id, marks: [mark]) }
    }

    // MARK: - Writes that don't

    private func remove() {
        let id = random.below(20)
        last = "removal of \(id)"
        cache.remove(Card.self, id: id)
        cache.remove(Tally.self, id: id)
        (cards[id], tallies[id]) = (nil, nil)
    }

    private func removeAll() {
        last = "removal of all"
        cache.removeAll(of: Card.self)
        cards = [:]
    }

    private func invalidate() {
        last = "invalidation"
        if random.below(10) == 0 {
            cache.invalidateAll(of: Card.self)
        } else {
            cache.invalidate(Card.self, id: random.below(20))
        }
    }

    private func update() {
        let card = Card(id: random.below(20), title: "set", note: "set", stars: random.below(100))
        last = "set of \(card.id)"
        cache.set(card)
        cards[card.id] = card
    }

    // MARK: - Responses

    private func someIDs() -> [Int] { Array(Set((0...random.below(6)).map { _ in random.below(20) })).sorted() }

    /// Makes a response of cards with random keys, and applies it to the model.
    private func response() -> (ids: [Int], json: String) {
        let ids = someIDs()
        var objects: [String] = []
        for id in ids {
            var card = cards[id]
            var members = [#""id": \#(id)"#]
            if random.below(2) == 0 {
                let title = "title \(random.below(100))"
                members.append(#""title": "\#(title)""#)
                if card == nil { card = Card(id: id, title: title) }
                card?.title = title
            }
            if random.below(3) == 0 {
                let note = random.below(3) == 0 ? nil : "note \(random.below(100))"
                members.append(#""note": \#(note.map { "\"\($0)\"" } ?? "null")"#)
                card?.note = note
            }
            if random.below(3) == 0 {
                let stars = random.below(100)
                members.append(#""stars": \#(stars)"#)
                card?.stars = stars
            }
            if random.below(4) == 0 {
                let (tally, mark) = (random.below(20), random.below(1_000))
                members.append(#""tally": {"id": \#(tally), "marks": [\#(mark)]}"#)
                tallies[tally, default: Tally(id: tally, marks: [])].marks.insert(mark)
                card?.tallyID = tally
            }
            objects.append("{\(members.joined(separator: ", "))}")
            cards[id] = card
        }
        return (ids, "[\(objects.joined(separator: ", "))]")
    }
}
