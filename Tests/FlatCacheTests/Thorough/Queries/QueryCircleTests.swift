#if DEBUG
import Observation
import Testing

@testable import FlatCache

/// Queries whose conditions and sort keys read their own answers.
@Suite("Circles of queries")
struct QueryCircleTests {
    private static let few: FlatCache.Query<Counter> = FlatCache.Query(Counter.self).filter(id: "few") {
        $0.count > 1 && FlatCache.current.query(few).count < 5
    }
    private static let first: FlatCache.Query<Counter> = FlatCache.Query(Counter.self).filter(id: "first") {
        $0.count > 1 && !FlatCache.current.query(second).ids.contains($0.id)
    }
    private static let second: FlatCache.Query<Counter> = FlatCache.Query(Counter.self).filter(id: "second") {
        $0.count < 4 && !FlatCache.current.query(first).ids.contains($0.id)
    }
    fileprivate static let ranked: FlatCache.Query<Counter> = FlatCache.Query(Counter.self).sorted(by: \.rank)

    /// A new query in each call.
    @Sendable private static func new() -> FlatCache.Query<Counter> {
        FlatCache.Query(Counter.self).filter { $0.count > 1 && FlatCache.current.query(new()).count < 5 }
    }

    /// A circle of queries, and what the one that is read answers to the counters 1...4.
    struct Circle: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let query: @Sendable () -> FlatCache.Query<Counter>
        let ids: [Int]
    }

    static let circles = [
        Circle(testDescription: "itself", query: { few }, ids: [2, 3, 4]),
        // The second one reads no answer of the first one, and has 1, 2 and 3.
        Circle(testDescription: "two", query: { first }, ids: [4]),
        Circle(testDescription: "two, from the other end", query: { second }, ids: [1]),
        Circle(testDescription: "a sort key", query: { ranked }, ids: [1, 2, 3, 4]),
        Circle(testDescription: "new queries", query: new, ids: [2, 3, 4]),
    ]

    /// The ways to read an answer.
    enum Way: CaseIterable {
        case alone, tracked, inRead, inTransaction, observed, derived
    }

    @Test("A query that reads its own answer finds none there, and that is said once", arguments: circles, Way.allCases)
    func circle(_ circle: Circle, way: Way) {
        let cache = FlatCache()
        cache.set(contentsOf: (1...4).map { Counter(id: $0, count: $0) })
        let query = cache.query(circle.query())
        let said = Recorder<String>()
        let answers = Recorder<[Int]>()
        DeveloperNotes.$current.withValue(DeveloperNotes { said.record($0) }) {
            var subscription: CacheSubscription?
            switch way {
            case .alone: answers.record(query.ids)
            case .tracked:
                answers.record(
                    withObservationTracking {
                        query.ids
                    } onChange: {
                    }
                )
            case .inRead: answers.record(cache.read { query.ids })
            case .inTransaction: answers.record(cache.transaction { query.ids })
            case .observed: subscription = query.observe { answers.record($0.values.ids) }
            case .derived:
                subscription = cache.observe {
                    query.ids
                } onChange: {
                    answers.record($0)
                }
            }
            #expect(answers.elements == [circle.ids])
            cache.set(Counter(id: 3, count: 0))
            if subscription != nil { #expect(answers.elements.last == query.ids) }
            subscription?.cancel()
        }
        #expect(said.count == 1)
        #expect(said.elements.first?.contains("Counter") == true)
    }

    @Test("An observer that is called while a condition is asked reads whole answers")
    func observerBesideCondition() {
        let cache = FlatCache()
        cache.set(contentsOf: (1...4).map { Counter(id: $0, count: $0) })
        let query = cache.query(
            FlatCache.Query(Counter.self).filter(id: "writing") { counter in
                if counter.id == 2 { FlatCache.current.set(Post(id: "written")) }
                return counter.count > 1
            }
        )
        let found = Recorder<[Int]>()
        let isFirst = Protected(true)
        let subscription = cache.observe(Post.self, id: "written", initial: false) { _ in
            let isFirst = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            if isFirst { found.record(query.ids) }
        }
        #expect(query.ids == [2, 3, 4])
        #expect(found.elements == [[2, 3, 4]])
        subscription.cancel()
    }
}

extension Counter {
    fileprivate var rank: Int { FlatCache.current.query(QueryCircleTests.ranked).count + count }
}
#endif
