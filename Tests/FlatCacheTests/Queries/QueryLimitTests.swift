import Testing

@testable import FlatCache

@Suite("Great limits of queries")
struct QueryLimitTests {
    @Test("A great limit is no limit")
    func greatLimitOfFew() async {
        await #expect(processExitsWith: .success) {
            let cache = FlatCache()
            cache.set(Track(id: 1))
            for limit in [Int.max, .max / 2, .max / 2 - 1, .max / 2 - 600, .max / 2 + 1, .max / 4 * 3] {
                precondition(cache.query(FlatCache.Query(Track.self).limit(limit)).ids == [1], "\(limit)")
            }
        }
    }

    @Test("The greatest limit is no limit for many entities")
    func greatestLimitOfMany() async {
        await #expect(processExitsWith: .success) {
            let cache = FlatCache()
            cache.set(contentsOf: (0..<3_000).map { Track(id: $0) })
            precondition(cache.query(FlatCache.Query(Track.self).limit(.max)).count == 3_000)
        }
    }

    @Test("A great offset skips everything", arguments: [Int.max, .max - 1, 3_000, 2_999])
    func greatOffset(offset: Int) {
        let cache = FlatCache()
        cache.set(contentsOf: (0..<3_000).map { Track(id: $0) })
        let answers = Recorder<Int>()
        let query = cache.query(Tracks().offset(offset).limit(5))
        let subscription = query.observe { answers.record($0.ids.count) }
        #expect(query.count == max(0, 3_000 - min(offset, 3_000)))
        #expect(answers.elements == [query.count])
        subscription.cancel()
    }
}
