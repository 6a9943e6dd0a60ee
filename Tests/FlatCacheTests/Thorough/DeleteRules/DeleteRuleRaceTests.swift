import SeededRandom
import TestThreads
import Testing

@testable import FlatCache

@Suite("Delete rules and threads", .mayBlock)
struct DeleteRuleRaceTests {
    @Test("No reader sees an entity whose folder a rule has removed, however many write", arguments: 0..<4)
    func consistency(seed: UInt64) {
        let cache = FlatCache()
        let mistakes = Recorder<String>()
        onThreads(4) { thread in
            var random = SeededGenerator(seed: seed * 10 + UInt64(thread))
            for _ in 0..<150 {
                let folder = random.below(4)
                switch thread == 3 ? 5 : random.below(5) {
                case 0: cache.set(Folder(id: folder))
                case 1: cache.remove(Folder.self, id: folder)
                case 2: cache.removeAll(of: Folder.self)
                case 3, 4:
                    let document = Document(id: random.below(8), folderID: folder)
                    cache.transaction {
                        if cache.contains(Folder.self, id: folder) { cache.set(document) }
                    }
                default:
                    let lost = cache.read {
                        cache.allValues(of: Document.self).filter { !cache.contains(Folder.self, id: $0.folderID) }
                    }
                    if !lost.isEmpty { mistakes.record("\(lost)") }
                }
            }
        }
        #expect(mistakes.elements == [])
        #expect(cache.allValues(of: Document.self).allSatisfy { cache.contains(Folder.self, id: $0.folderID) })
    }

    @Test("A type that is first stored beside a removal is not left out")
    func firstUse() {
        for _ in 0..<200 {
            let cache = FlatCache()
            cache.set(Folder(id: 1))
            onThreads(2) { thread in
                if thread == 0 {
                    cache.remove(Folder.self, id: 1)
                } else {
                    cache.transaction {
                        if cache.contains(Folder.self, id: 1) { cache.set(Document(id: 1, folderID: 1)) }
                    }
                }
            }
            #expect(!cache.contains(Document.self, id: 1))
        }
    }
}
