import Foundation
import SeededRandom
import TestThreads
import Testing

@testable import FlatCache

@Suite("Limits beside other threads", .mayBlock)
struct LimitRaceTests {
    @Test("D4: Many writers keep a limit together, and nothing that is needed goes", arguments: [10, 500])
    func writers(limit: Int) {
        let cache = FlatCache()
        cache.setLimit(limit, for: Note.self)
        cache.setLimit(limit, for: Writer.self)
        let handles = (0..<5).map { Cached(Note.self, id: -$0 - 1, in: cache) }
        cache.set(contentsOf: (0..<5).map { Note(id: -$0 - 1, writerID: -$0 - 1) })
        cache.set(contentsOf: (0..<5).map { Writer(id: -$0 - 1) })
        let count = Extent.count(3_000, full: 30_000)
        onThreads(4) { thread in
            var random = SeededGenerator(seed: UInt64(thread))
            for number in 0..<count {
                let id = thread * count + number
                switch random.below(8) {
                case 0: cache.set(contentsOf: (0..<10).map { Note(id: id + $0, writerID: id) })
                case 1:
                    cache.transaction {
                        let old = cache.get(Note.self, id: id - 1)
                        cache.set(Note(id: id, text: old?.text ?? ""))
                    }
                case 2: cache.update(Note.self, id: random.below(count) + thread * count) { $0.text = "updated" }
                case 3: cache.remove(Note.self, id: random.below(count) + thread * count)
                case 4:
                    // A new handle keeps the entity, if it is stored after that.
                    let handle = Cached(Note.self, id: id, in: cache)
                    cache.set(Note(id: id, text: "held"))
                    if handle.value?.text != "held" { Issue.record("The held note \(id) is gone.") }
                case 5: cache.set(Writer(id: id))
                case 6: _ = cache.allValues(of: Note.self)
                default: cache.set(Note(id: id))
                }
                if handles.contains(where: { $0.value == nil }) { Issue.record("A held note is gone.") }
                if number % 16 == 0, (1...5).contains(where: { !cache.contains(Writer.self, id: -$0) }) {
                    Issue.record("The writer of a held note is gone.")
                }
            }
        }
        cache.evictNow()
        #expect(cache.count(of: Note.self) <= limit && cache.count(of: Writer.self) <= limit)
        cache.collect()
        #expect(cache.count(of: Note.self) == 5 && cache.count(of: Writer.self) == 5)
    }

    @Test("Observers that replay all changes of a limited type have what is in memory")
    func replay() {
        let cache = FlatCache()
        cache.setLimit(40, for: Note.self)
        let state = Protected<[Int: Note]>([:])
        let subscription = cache.observe(all: Note.self) { changes in
            state.withLock { state in
                for note in changes.removed + changes.evicted {
                    if state.removeValue(forKey: note.id) == nil { Issue.record("\(note.id) was missing.") }
                }
                for note in changes.inserted {
                    if state.updateValue(note, forKey: note.id) != nil { Issue.record("\(note.id) was stored.") }
                }
                for update in changes.updated {
                    if state.updateValue(update.value, forKey: update.value.id) == nil {
                        Issue.record("\(update.value.id) was missing.")
                    }
                }
            }
        }
        onThreads(4) { thread in
            var random = SeededGenerator(seed: UInt64(thread))
            for _ in 0..<Extent.count(2_000, full: 20_000) {
                let id = random.below(200)
                switch random.below(4) {
                case 0: cache.remove(Note.self, id: id)
                case 1: cache.set(contentsOf: [Note(id: id), Note(id: id + 1, text: "\(random.below(9))")])
                default: cache.set(Note(id: id, text: "\(random.below(9))"))
                }
            }
        }
        let stored = cache.allValues(of: Note.self)
        #expect(state.withLock { $0 } == Dictionary(uniqueKeysWithValues: stored.map { ($0.id, $0) }))
        withExtendedLifetime(subscription) {}
    }

    @Test("The last of several limits that threads set is the only one")
    func settingAtOnce() {
        for number in 0..<Extent.count(200, full: 2_000) {
            let cache = FlatCache()
            onThreads(4) { thread in
                if (thread + number) % 4 == 0 {
                    cache.setLimit(cost: 40 + thread, for: Note.self) { _ in 1 }
                } else {
                    cache.setLimit(40 + thread, for: Note.self)
                }
            }
            for id in 0..<100 { cache.set(Note(id: id)) }
            #expect(cache.count(of: Note.self) <= 43 && cache.statistics[Note.self]?.excess == 0)
            cache.removeLimit(for: Note.self)
            for id in 0..<100 { cache.set(Note(id: id)) }
            #expect(cache.count(of: Note.self) == 100 && !cache.isWatched(Note.self))
        }
    }

    @Test("Whole-type operations, collections and limits run beside each other")
    func wholeTypes() {
        let cache = FlatCache()
        cache.setLimit(300, for: Note.self)
        let list = cache.list("home", of: Note.self)
        onThreads(4) { thread in
            for number in 0..<Extent.count(60, full: 600) {
                switch thread {
                case 0: cache.set(contentsOf: (0..<5_000).map { Note(id: $0, writerID: number) })
                case 1: cache.collect(keeping: [Note.flatCacheKey(id: number)])
                case 2: number % 10 == 0 ? cache.removeAll() : list.append(Note(id: number))
                default:
                    cache.setLimit(100 + number, for: Note.self, maxAge: number % 2 == 0 ? .milliseconds(1) : nil)
                    _ = cache.statistics
                }
            }
        }
        cache.setLimit(50, for: Note.self)
        cache.set(Note(id: -1))
        #expect(cache.count(of: Note.self) <= 50)
    }
}
