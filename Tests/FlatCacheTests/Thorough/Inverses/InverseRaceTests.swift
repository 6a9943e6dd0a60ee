import SeededRandom
import TestThreads
import Testing

@testable import FlatCache

@Suite("Inverses and threads", .mayBlock)
struct InverseRaceTests {
    @Test("No reader and no observer sees one side without the other", arguments: InversePair.all)
    func consistency(of pair: InversePair) throws {
        let cache = FlatCache()
        let (count, rounds) = (12, Extent.count(40, full: 120))
        for number in 0..<count {
            pair.forward.store(cache, number)
            pair.back.store(cache, number)
        }
        let mistakes = Recorder<String>()
        let check: @Sendable (String) -> Void = { place in
            let found = cache.inconsistencies()
            if !found.isEmpty { mistakes.record("\(place): \(found.map(\.description))") }
        }
        let keys = (0..<count).flatMap { [pair.forward.key($0), pair.back.key($0)] }
        let subscription = cache.observe(keys) { _ in check("observer") }
        onThreads(4) { thread in
            var random = SeededGenerator(seed: UInt64(thread))
            for _ in 0..<rounds {
                guard thread < 3 else {
                    check("reader")
                    continue
                }
                let side = random.below(2) == 0 ? pair.forward : pair.back
                // Each thread has entities of its own, so that it never stores a copy that is out of date.
                let own = Array(stride(from: thread, to: count, by: 3))
                let ids = (0..<random.below(side.holdsOne ? 2 : 4)).map { _ in random.pick(from: own) }
                do {
                    try side.set(cache, random.pick(from: own), ids, [:], true)
                } catch {
                    mistakes.record("\(error)")
                }
            }
        }
        check("end")
        #expect(mistakes.elements == [])
        withExtendedLifetime(subscription) {}
    }
}
