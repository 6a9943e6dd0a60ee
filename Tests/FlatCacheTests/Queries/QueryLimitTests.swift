import SeededRandom
import TestThreads
import Testing

@testable import FlatCache

@Suite("Great limits of queries", .mayBlock)
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

    @Test("A limited answer of many entities is the first of all", arguments: [1, 100, 900], [0, 70])
    func firstOfMany(limit: Int, offset: Int) {
        let cache = FlatCache()
        var random = SeededGenerator(seed: UInt64(limit))
        cache.set(
            contentsOf: (0..<9_000).map { Track(id: $0, name: "\(random.below(50))", plays: random.below(1_000)) }
        )
        let query = Tracks().sorted(by: \.name, .descending).sorted(by: \.plays).limit(limit).offset(offset)
        let sorted = cache.allValues(of: Track.self, inOrder: true).sorted {
            $0.name == $1.name ? $0.plays < $1.plays : $0.name > $1.name
        }
        #expect(cache.query(query).ids == sorted.dropFirst(offset).prefix(limit).map(\.id))
    }
}
