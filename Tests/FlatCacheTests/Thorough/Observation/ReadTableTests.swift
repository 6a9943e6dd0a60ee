import Observation
import TestThreads
import Testing

@testable import FlatCache

/// Each way to read an entity, in each situation of the reader and each state of the entity.
@Suite("Reads in all situations", .mayBlock)
struct ReadTableTests {
    /// The ways to read the memo with the identifier "m".
    enum Way: CaseIterable {
        case value, property, several, presence, handle, propertyOfHandle, accessor, accessorOfSeveral, relationship
        case list, reference, query

        /// Whether the read is tracked by itself.
        var isTracked: Bool {
            switch self {
            case .value, .property, .several, .presence: false
            default: true
            }
        }

        /// The text of the memo, or `nil` if it isn't found.
        func text(in cache: FlatCache, _ handle: Cached<Memo>) -> String? {
            switch self {
            case .value: cache.get(Memo.self, id: "m")?.text
            case .property: cache.get(Memo.self, id: "m", \.text)
            case .several: cache.get(Memo.self, ids: ["m"]).first?.text
            case .presence: cache.contains(Memo.self, id: "m") ? cache.get(Memo.self, id: "m")?.text : nil
            case .handle: handle.value?.text
            case .propertyOfHandle: handle.text
            case .accessor: (FlatCache._related("m", in: cache) as Memo?)?.text
            case .accessorOfSeveral: (FlatCache._related(["m"], in: cache) as [Memo]).first?.text
            case .relationship: Cached(Stone.self, id: 1, in: cache).memo?.text
            case .list: cache.list("memos", of: Memo.self).values.first?.text
            case .reference: cache.reference("memo", of: Memo.self).value?.text
            case .query: cache.query(FlatCache.Query(Memo.self)).first?.text
            }
        }
    }

    /// The situations of a reader.
    enum Situation: CaseIterable {
        case alone, tracked, inRead, trackedInRead, inTrackedBody, inTransaction

        /// Whether the reader is notified of changes.
        func isTracked(_ way: Way) -> Bool {
            switch self {
            case .alone, .inRead, .inTransaction: false
            case .tracked, .trackedInRead: way.isTracked
            case .inTrackedBody: true
            }
        }

        func read(_ cache: FlatCache, onChange: @escaping @Sendable () -> Void, _ body: () -> String?) -> String? {
            switch self {
            case .alone: body()
            case .inRead: cache.read { body() }
            case .inTransaction: cache.transaction { body() }
            case .tracked: withObservationTracking(body, onChange: onChange)
            case .trackedInRead: withObservationTracking({ cache.read { body() } }, onChange: onChange)
            case .inTrackedBody: withObservationTracking({ cache.tracked { _ in body() } }, onChange: onChange)
            }
        }
    }

    /// The states of the memo.
    enum State: CaseIterable {
        case stored, replaced, changed, removed, missing
    }

    @Test(
        "N3, S3: Each read finds the entity, and a tracked one is notified of its change",
        arguments: Way.allCases,
        Situation.allCases
    )
    func table(way: Way, situation: Situation) {
        for state in State.allCases {
            let cache = FlatCache()
            cache.set(Stone(id: 1, memoID: "m"))
            cache.list("memos", of: Memo.self).append(ids: ["m"])
            cache.reference("memo", of: Memo.self).id = "m"
            if state != .missing { cache.set(Memo(id: "m", text: "old")) }
            let handle = Cached(Memo.self, id: "m", in: cache)
            var change: () -> Void = { cache.set(Memo(id: "m", text: "next")) }
            var (expected, next): (String?, String?) = ("old", "next")
            switch state {
            case .stored: break
            case .replaced:
                cache.replaceMemo("m", by: "7")
                change = { cache.set(Memo(id: "7", text: "next")) }
                expected = "new"
            case .changed:
                let answer = ManualAnswer<Void>()
                cache.mutate(Memo.self, id: "m") {
                    $0.text = "mine"
                } send: {
                    try await answer()
                }
                change = {
                    cache.removeAll()
                    answer.fail()
                }
                // A transaction reads what is confirmed.
                expected = situation == .inTransaction ? "old" : "mine"
                next = nil
            case .removed:
                cache.remove(Memo.self, id: "m")
                expected = nil
            case .missing: expected = nil
            }
            let notified = Recorder<Void>()
            let found = situation.read(cache) {
                notified.record(())
            } _: {
                way.text(in: cache, handle)
            }
            #expect(found == expected, "\(state)")
            change()
            #expect(notified.count == (situation.isTracked(way) ? 1 : 0), "\(state)")
            #expect(
                situation.read(cache) {
                } _: {
                    way.text(in: cache, handle)
                } == next,
                "\(state)"
            )
        }
    }
    #if DEBUG
    @Test(
        "S8: A read of a key doesn't wait for a large commit, and sees none or all of it, and a tracked one is notified",
        arguments: Way.allCases.filter { $0 != .query },
        Situation.allCases.filter { $0 != .inTransaction }
    )
    func largeCommit(way: Way, situation: Situation) {
        let cache = FlatCache()
        cache.set(Stone(id: 1, memoID: "m"))
        cache.list("memos", of: Memo.self).append(ids: ["m"])
        cache.reference("memo", of: Memo.self).id = "m"
        cache.set(Memo(id: "m", text: "old"))
        let handle = Cached(Memo.self, id: "m", in: cache)
        let found = Recorder<String>()
        let notified = Recorder<Void>()
        let points = Recorder<SyncPoint>()
        let handler: @Sendable (SyncPoint) -> Void = { point in
            guard [.listed, .drawn, .piece].contains(point), !points.elements.contains(point) else { return }
            points.record(point)
            RunningThread {
                let text = situation.read(cache) {
                    notified.record(())
                } _: {
                    way.text(in: cache, handle)
                }
                found.record("\(point): \(text ?? "nil")")
            }.finish()
        }
        let memos = [Memo(id: "m", text: "new")] + (0..<5_000).map { Memo(id: "\($0)") }
        SyncPoint.$handler.withValue(handler) { cache.set(contentsOf: memos) }
        #expect(found.elements == ["listed: old", "drawn: new", "piece: new"])
        // What has read the new state already may be notified as well.
        #expect(!situation.isTracked(way) || notified.count >= 1)
    }

    @Test("A query with an index doesn't wait for a large commit that isn't published")
    func indexBesideLargeCommit() {
        let cache = FlatCache()
        let old = Letter(id: "m", clientKey: "", text: "old")
        cache.set(old)
        let olds = cache.query(FlatCache.Query(Letter.self).filter(\.text, equals: "old"))
        #expect(olds.count == 1)
        let found = Recorder<Int>()
        let letters = (0..<5_000).map { Letter(id: "\($0)", clientKey: "", text: "old") }
        stopping(at: .listed) {
            withObservationTracking {
                found.record(olds.count)
            } onChange: {
            }
        } _: {
            cache.set(contentsOf: letters)
        }
        #expect(found.elements == [1])
        #expect(olds.count == 5_001)
    }
    #endif
}
