import SeededRandom
import Testing

@testable import FlatCache

@Suite("Collection of entities that nothing leads to")
struct CollectTests {
    private let cache = FlatCache()

    @Test("What lists, references, handles, observers and keys lead to remains")
    func roots() {
        cache.set(contentsOf: (0..<100).map { Note(id: $0, writerID: $0) })
        cache.set(contentsOf: (0..<200).map { Writer(id: $0, teacherID: $0 < 100 ? $0 + 100 : nil) })
        cache.list("home", of: Note.self).append(ids: Array(0..<60))
        cache.reference("current", of: Note.self).id = 61
        let handle = Cached(Note.self, id: 62, in: cache)
        let observer = cache.observe(Note.self, id: 63) { _ in }
        let collected = cache.collect(keeping: [Note.flatCacheKey(id: 64), Writer.flatCacheKey(id: 1_000)])
        let notes = Array(0..<60) + [61, 62, 63, 64]
        #expect(cache.allValues(of: Note.self).map(\.id).sorted() == notes)
        #expect(cache.allValues(of: Writer.self).map(\.id).sorted() == notes + notes.map { $0 + 100 })
        let name = { (type: Any.Type) in String(reflecting: type) }
        #expect(collected.counts == [name(Note.self): 36, name(Writer.self): 72] && collected.count == 108)
        #expect(collected.bytes > 108 * MemoryLayout<Writer>.size)
        #expect(cache.collect(keeping: [Note.flatCacheKey(id: 64)]).count == 0)
        withExtendedLifetime((handle, observer)) {}
    }

    @Test("A list leads to all of its entities, however many a limit keeps")
    func keptLists() {
        cache.list("home", of: Note.self, keeps: 2).append(contentsOf: (0..<10).map { Note(id: $0) })
        cache.setLimit(100, for: Note.self, keeps: 3)
        #expect(cache.collect().count == 0 && cache.count(of: Note.self) == 10)
    }

    @Test("A long chain, a circle and values in values are followed")
    func shapes() {
        cache.set(contentsOf: (0..<10_000).map { Writer(id: $0, teacherID: ($0 + 1) % 10_000) })
        cache.set(Writer(id: -1))
        cache.set(Note(id: 1, writerID: -5, poll: Poll(followUps: [Poll(followUps: [Poll(voterIDs: [5_000])])])))
        cache.list("home", of: Note.self).append(ids: [1])
        cache.collect()
        #expect(cache.count(of: Writer.self) == 10_000)
        cache.list("home", of: Note.self).removeAll()
        #expect(cache.collect().count == 10_001 && cache.count == 0)
    }

    @Test("The oracle agrees", arguments: Seeds.first(20, full: 500))
    func oracle(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for id in 0..<60 {
            cache.set(
                Writer(id: id, teacherID: Bool.random(using: &random) ? Int.random(in: 0..<70, using: &random) : nil)
            )
        }
        for id in 0..<20 {
            let poll = Poll(
                voterIDs: (0..<Int.random(in: 0..<3, using: &random)).map { _ in Int.random(in: 0..<70, using: &random)
                }
            )
            cache.set(
                Note(
                    id: id,
                    writerID: Int.random(in: 0..<70, using: &random),
                    poll: Bool.random(using: &random) ? poll : nil
                )
            )
        }
        let listed = (0..<3).map { _ in Int.random(in: 0..<25, using: &random) }
        cache.list("home", of: Note.self).append(ids: listed)
        let kept = (0..<2).map { _ in Int.random(in: 0..<70, using: &random) }
        var notes = Set(listed)
        var writers = Set(kept)
        for note in cache.allValues(of: Note.self) where notes.contains(note.id) {
            writers.formUnion([note.writerID] + (note.poll?.voterIDs ?? []))
        }
        while true {
            let more = cache.allValues(of: Writer.self).filter { writers.contains($0.id) }.compactMap(\.teacherID)
            if writers.isSuperset(of: more) { break }
            writers.formUnion(more)
        }
        notes.formIntersection(cache.allValues(of: Note.self).map(\.id))
        writers.formIntersection(cache.allValues(of: Writer.self).map(\.id))
        cache.collect(keeping: kept.map { Writer.flatCacheKey(id: $0) })
        #expect(Set(cache.allValues(of: Note.self).map(\.id)) == notes)
        #expect(Set(cache.allValues(of: Writer.self).map(\.id)) == writers)
        #expect(cache.statistics[Note.self]?.dangling == Set(listed).subtracting(notes).count)
    }

    @Test("A collection in a transaction does nothing")
    func transaction() {
        cache.set(Note(id: 1))
        cache.transaction { #expect(cache.collect().count == 0) }
        #expect(cache.count(of: Note.self) == 1)
    }

    @Test("Statistics count entities, observers, and identifiers without an entity")
    func statistics() {
        cache.set(contentsOf: (0..<3).map { Note(id: $0, writerID: $0, poll: Poll(voterIDs: [1, 8])) })
        cache.set(Writer(id: 1, teacherID: 7))
        cache.list("home", of: Note.self).append(ids: [1, 50])
        cache.reference("current", of: Writer.self).id = 60
        let subscriptions = [cache.observe(Note.self, id: 2) { _ in }, cache.observe(all: Note.self) { _ in }]
        let statistics = cache.statistics
        #expect(statistics.types.map { "\($0.type)" } == ["Note", "Writer"])
        let (notes, writers) = (statistics[Note.self], statistics[Writer.self])
        #expect(notes?.count == 3 && notes?.observers == 2 && notes?.held == 1 && notes?.dangling == 1)
        // The writers 0 and 2, three times 8, the teacher and the reference.
        #expect(writers?.count == 1 && writers?.dangling == 7 && writers?.isComplete == true)
        #expect(notes.map { $0.bytes >= 3 * MemoryLayout<Note>.size } == true)
        #expect("\(statistics)".contains("Note: 3 entities") && "\(statistics)".hasSuffix("0 hits, 0 misses"))
        withExtendedLifetime(subscriptions) {}
    }
}
