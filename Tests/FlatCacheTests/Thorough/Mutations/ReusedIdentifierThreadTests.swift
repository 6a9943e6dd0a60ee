import SeededRandom
import TestThreads
import Testing

@testable import FlatCache

/// Mutations beside replacements of identifiers that were replaced before, on several threads.
///
/// `FLATCACHE_REUSED=10000` tries more.
@Suite("Identifiers that are replaced again and again, on several threads", .mayBlock)
struct ReusedIdentifierThreadTests {
    @Test(
        "When all mutations have ended, readers see the confirmed state, and indexes agree with it",
        arguments: ReusedIdentifierRun.Kind.allCases
    )
    func ended(kind: ReusedIdentifierRun.Kind) async {
        for seed in Seeds.first(6, full: 200, orAsIn: "FLATCACHE_REUSED") {
            let faults = await ReusedIdentifierRun(kind, seed: seed).faults()
            #expect(faults.isEmpty, "FLATCACHE_SEED=\(seed) begins in the same way")
            if !faults.isEmpty { return }
        }
    }
}

/// Threads that change few chapters.
final class ReusedIdentifierRun: Sendable {
    enum Kind: String, CaseIterable, Sendable {
        case updates, removals, insertions, clearedUpdates, clearedRemovals, clearedInsertions

        var isCleared: Bool { rawValue.hasPrefix("cleared") }
    }

    private let kind: Kind
    private let seed: UInt64
    private let cache = FlatCache()
    private let mutations = Recorder<PendingMutation>()

    init(_ kind: Kind, seed: UInt64) {
        self.kind = kind
        self.seed = seed
    }

    /// Runs the threads, and returns what is wrong in the end.
    func faults() async -> [String] {
        onThreads(4) { [self] thread in
            var random = SeededGenerator(seed: seed, stream: thread)
            for _ in 0..<60 { step(&random) }
        }
        for mutation in mutations.elements { try? await mutation.waitForEnd() }
        var faults: [String] = []
        let everything = FlatCache.Query(Chapter.self)
        let visible = Array(cache.query(everything).values)
        let confirmed = Array(cache.confirmed { cache.query(everything).values })
        if visible != confirmed { faults.append("visible \(visible), confirmed \(confirmed)") }
        let table = cache.registry.table(of: Chapter.self).takeUnretainedValue()
        table.visitSlots { slot in
            for layer in slot.layered(of: Chapter.self)?.layers ?? [] {
                faults.append("layer of mutation \(layer.number) at \(slot.id(of: Chapter.self))")
            }
        }
        for part in 0..<3 {
            let found = cache.query(FlatCache.Query(Chapter.self).filter(\.part, equals: part)).ids
            let expected = visible.filter { $0.part == part }.map { $0.id }
            if Array(found) != expected { faults.append("part \(part): \(Array(found)), expected \(expected)") }
        }
        return faults
    }

    private func step(_ random: inout SeededGenerator) {
        let chapter = Self.chapter(&random)
        let id = Self.id(&random)
        let fails = random.below(3) == 0
        let yields = random.below(3)
        let send: @Sendable () async throws -> Void = {
            for _ in 0..<yields { await Task.yield() }
            if fails { throw RejectedError() }
        }
        let orders: [MutationOrder] = [.concurrent, .concurrent, .serial("chapters"), .latest("chapters")]
        let order = random.pick(from: orders)
        let isCancelled = random.below(4) == 0
        switch random.below(kind.isCleared ? 5 : 4) {
        case 0: cache.set(chapter)
        case 1: if id != chapter.id { cache.replaceIdentifier(of: Chapter.self, id, with: chapter) }
        case 2, 3:
            switch kind {
            case .updates, .clearedUpdates:
                let update = cache.mutate(Chapter.self, id: id, order: order, { $0.part = chapter.part }, send: send)
                mutations.record(update)
                if isCancelled { update.cancel() }
            case .removals, .clearedRemovals:
                let removal = cache.mutate(order: order, { $0.remove(Chapter.self, id: id) }, send: send)
                mutations.record(removal)
                if isCancelled { removal.cancel() }
            case .insertions, .clearedInsertions:
                let draft = Chapter(id: "t\(random.below(3))", part: 1, nextID: id)
                let list = cache.list("chapters", of: Chapter.self, dropsRemoved: true)
                let insertion = cache.mutate(order: order) { change in
                    change.insert(temporary: draft)
                    change.prepend(draft.id, to: list)
                } send: {
                    try await send()
                    return chapter
                }
                mutations.record(insertion)
                if isCancelled { insertion.cancel() }
            }
        default: if random.below(3) == 0 { cache.removeAll() }
        }
    }

    private static func id(_ random: inout SeededGenerator) -> String {
        let number = random.below(8)
        return number < 5 ? "\(number)" : "t\(number - 5)"
    }

    private static func chapter(_ random: inout SeededGenerator) -> Chapter {
        Chapter(id: id(&random), part: random.below(3), nextID: random.below(2) == 0 ? nil : id(&random))
    }
}
