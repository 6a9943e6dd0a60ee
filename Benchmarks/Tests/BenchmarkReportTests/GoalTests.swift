import BenchmarkReport
import Testing

@Suite("Goals")
struct GoalTests {
    private let figures = [
        Figure(name: "get/1k", subject: "FlatCache", median: 80, ratio: 0.8),
        Figure(name: "get/1k", subject: "GRDB", median: 10_000, ratio: 100),
        Figure(name: "memory/60k", subject: "FlatCache", median: 190, unit: .bytes, ratio: 0.7),
        Figure(
            name: "store/commit",
            subject: "FlatCache",
            median: 150,
            ratio: 1.5,
            reference: Figure.Reference(name: "store/commit", subject: "no store", median: 100)
        ),
    ]

    @Test("A goal is reached at its limit")
    func reached() {
        #expect(
            Goal("get/1k", .atMost(0.8)).line(for: "FlatCache", figures) == """
                get/1k                                           0.80  at most 0.80
                """
        )
        #expect(
            Goal("get/1k", .atLeast(125), of: .timesFaster(than: "GRDB")).line(for: "FlatCache", figures) == """
                get/1k, times faster than GRDB                    125  at least 125
                """
        )
    }

    @Test("A goal that is missed says so")
    func missed() {
        #expect(
            Goal("memory/60k", .atMost(185), of: .median).line(for: "FlatCache", figures) == """
                memory/60k                                      190 B  at most 185 B  missed
                """
        )
    }

    @Test("A goal can be about what is added to the reference")
    func addition() {
        #expect(
            Goal("store/commit", .atMost(80), of: .addition).line(for: "FlatCache", figures) == """
                store/commit, more                            50.0 ns  at most 80.0 ns
                """
        )
    }

    @Test("A goal can be about percentage points")
    func points() {
        let hits = Figure(
            name: "limit/hit-rate/zipf",
            subject: "FlatCache",
            median: 33.5,
            unit: .percent,
            reference: Figure.Reference(name: "limit/hit-rate/zipf", subject: "LRU", median: 34)
        )
        #expect(
            Goal("limit/hit-rate/zipf", .atLeast(-1), of: .addition).line(for: "FlatCache", [hits]) == """
                limit/hit-rate/zipf, more                     -0.50 %  at least -1.00 %
                """
        )
    }

    @Test("Nothing is said about what wasn't measured")
    func unknown() {
        #expect(Goal("miss/1k", .atMost(0.5)).line(for: "FlatCache", figures) == nil)
        #expect(Goal("get/1k", .atMost(50), of: .addition).line(for: "FlatCache", figures) == nil)
        #expect(Goal("get/1k", .atLeast(2), of: .timesFaster(than: "actor")).line(for: "FlatCache", figures) == nil)
    }
}
