import SeededRandom
import Testing

@testable import FlatCache

@Suite("The log of the changes in a transaction")
struct ChangeLogTests {
    @Test(
        "A reader sees each change since its last position, also after the log has begun anew",
        arguments: Seeds.first(20)
    )
    func readers(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let log = ChangeLog()
        let count = 1 + random.below(10)
        var readers = [(position: Int, unread: Set<Int>)](repeating: (-1, Set(0..<count)), count: 3)
        for step in 0..<2_000 {
            if random.below(200) == 0 {
                log.addAll()
                for reader in readers.indices { readers[reader].unread = Set(0..<count) }
            }
            let place = random.below(count)
            log.add(place, of: count)
            for reader in readers.indices { readers[reader].unread.insert(place) }
            // One reads often and one rarely.
            for reader in readers.indices where random.below(1 + reader * 100) == 0 {
                let places = log.places(since: readers[reader].position)
                if let places { #expect(places == readers[reader].unread.sorted(), "seed \(seed), step \(step)") }
                readers[reader] = (log.end, [])
                #expect(log.places(since: log.end) == [])
            }
        }
    }

    @Test("A log isn't much longer than the number of entries")
    func length() {
        let log = ChangeLog()
        var lookAtAll = 0
        var position = log.end
        for step in 0..<10_000 {
            log.add(step % 10, of: 10)
            #expect(log.length <= 85)
            guard step % 3 == 0 else { continue }
            if log.places(since: position) == nil { lookAtAll += 1 }
            position = log.end
        }
        // A look at all entries follows many changes.
        #expect(lookAtAll <= 10_000 / 84)
    }
}
