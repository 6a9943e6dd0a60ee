import BenchmarkReport
import Testing

@Suite("Contests")
struct ContestTests {
    @Test("The median is the value in the middle, or the mean of the two there")
    func medians() {
        #expect(median(of: [3, 1, 2]) == 2)
        #expect(median(of: [4, 1, 2, 3]) == 2.5)
        #expect(median(of: []) == 0)
    }

    @Test("A ratio is the median of the ratios in each round, not the ratio of the medians")
    func ratios() throws {
        let figures = contest(cache: [1, 20, 300], baseline: [2, 10, 100]).figures(rounds: 3)
        let figure = try #require(figures.first)
        #expect(figure.median == 20)
        #expect(figure.ratio == 2)
        #expect(figure.reference == Figure.Reference(name: "get/1k", subject: "Mutex", median: 10))
    }

    @Test("A factor of throughput is the reference's time over one's own")
    func throughput() {
        let figures = contest(cache: [5], baseline: [10], meaning: .throughput).figures(rounds: 1)
        #expect(figures.first?.ratio == 2)
    }

    @Test("There is no ratio to nothing")
    func noRatio() {
        #expect(contest(cache: [5], baseline: [0]).figures(rounds: 1).first?.ratio == nil)
    }

    @Test("Everybody is measured once a round, and everybody comes first some time")
    func turns() {
        var order: [String] = []
        let contestants = ["a", "b", "c"].map { name in
            Contestant("row", name, against: nil) {
                order.append(name)
                return 1
            }
        }
        _ = Contest(contestants) { _ in true }.figures(rounds: 6)
        let rounds = stride(from: 0, to: 18, by: 3).map { Array(order[$0..<$0 + 3]) }
        #expect(rounds.allSatisfy { $0.sorted() == ["a", "b", "c"] })
        #expect(Set(rounds.map { $0[0] }) == ["a", "b", "c"])
    }

    @Test("What a wanted row is compared with is measured, what nobody wants isn't")
    func filters() {
        let contestants = [
            Contestant("notify/0", "cache", against: nil) { 1 },
            Contestant("notify/1", "cache", against: .init("notify/0", "cache")) { 3 },
            Contestant("notify/2", "cache", against: .init("notify/0", "cache")) { 5 },
        ]
        let figures = Contest(contestants) { $0 == "notify/1" }.figures(rounds: 1)
        #expect(figures.map(\.name) == ["notify/0", "notify/1"])
        #expect(figures.last?.ratio == 3)
    }

    private func contest(
        cache: [Double],
        baseline: [Double],
        meaning: Figure.Meaning = .cost
    ) -> Contest {
        var cache = cache.makeIterator()
        var baseline = baseline.makeIterator()
        let contestants = [
            Contestant("get/1k", "FlatCache", against: .init("get/1k", "Mutex"), meaning: meaning) {
                cache.next() ?? 0
            },
            Contestant("get/1k", "Mutex", against: nil) { baseline.next() ?? 0 },
        ]
        return Contest(contestants) { _ in true }
    }
}
