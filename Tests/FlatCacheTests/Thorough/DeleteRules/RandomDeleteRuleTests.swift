import SeededRandom
import Testing

@testable import FlatCache

/// Random writes and removals, compared with a plain implementation of the rules after each.
///
/// `FLATCACHE_DELETIONS=10000` tries more.
@Suite("Random deletion")
struct RandomDeleteRuleTests {
    /// The entities by identifier, with the rules as loops over all of them.
    private struct Model: Equatable {
        var folders: [Int: Folder] = [:]
        var documents: [Int: Document] = [:]
        var people: Set<Int> = []

        mutating func removeFolders(_ ids: some Sequence<Int>) {
            var pending = Array(ids)
            while let id = pending.popLast() {
                folders[id] = nil
                pending += folders.values.filter { $0.parentID == id }.map(\.id)
                removeDocuments(documents.values.filter { $0.folderID == id }.map(\.id))
            }
        }

        mutating func removeDocuments(_ ids: some Sequence<Int>) {
            for id in ids {
                documents[id] = nil
                for (number, folder) in folders where folder.coverID == id { folders[number]?.coverID = nil }
            }
        }

        mutating func removePeople(_ ids: some Sequence<Int>) {
            for id in ids {
                people.remove(id)
                documents = documents.mapValues { $0.without(id) }
            }
        }
    }

    @Test(
        "Rules have the results of a plain implementation",
        arguments: Seeds.first(15, full: 40, orAsIn: "FLATCACHE_DELETIONS")
    )
    func sequences(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let cache = FlatCache()
        var model = Model()
        for step in 0..<80 {
            let isTogether = random.below(3) == 0
            let count = isTogether ? 1 + random.below(4) : 1
            var changed = model
            var next = random
            // The body of a transaction can run twice.
            func run() {
                changed = model
                next = random
                for _ in 0..<count { Self.change(&changed, cache, &next) }
            }
            let fails = isTogether && random.below(4) == 0
            do {
                if isTogether {
                    try cache.transaction {
                        run()
                        if fails { throw CancellationError() }
                    }
                } else {
                    run()
                }
                model = changed
            } catch {}
            random = next
            let found = Model(
                folders: Dictionary(uniqueKeysWithValues: cache.allValues(of: Folder.self).map { ($0.id, $0) }),
                documents: Dictionary(uniqueKeysWithValues: cache.allValues(of: Document.self).map { ($0.id, $0) }),
                people: Set(cache.allValues(of: Person.self).map(\.id))
            )
            try #require(found == model, "seed \(seed), step \(step)")
        }
    }

    private static func change(_ model: inout Model, _ cache: FlatCache, _ random: inout SeededGenerator) {
        let id = random.below(6)
        switch random.below(9) {
        case 0, 1:
            let folder = Folder(
                id: id,
                parentID: random.below(2) == 0 ? nil : random.below(6),
                coverID: random.below(2) == 0 ? nil : random.below(6)
            )
            cache.set(folder)
            model.folders[id] = folder
        case 2, 3:
            var document = Document(id: id, folderID: random.below(6))
            document.authorID = random.below(2) == 0 ? nil : random.below(6)
            document.editorIDs = (0..<random.below(4)).map { _ in random.below(6) }
            document.readerIDs = Set((0..<random.below(4)).map { _ in random.below(6) })
            document.seatIDs = (0..<random.below(3)).map { _ in (0..<random.below(3)).map { _ in random.below(6) } }
            document.roleIDs = random.below(2) == 0 ? [:] : ["a": random.below(6)]
            cache.set(document)
            model.documents[id] = document
        case 4:
            cache.set(Person(id: id))
            model.people.insert(id)
        case 5:
            cache.remove(Folder.self, id: id)
            model.removeFolders([id])
        case 6:
            let ids = (0..<random.below(4)).map { _ in random.below(6) }
            if random.below(2) == 0 {
                cache.remove(Document.self, ids: ids)
                model.removeDocuments(ids)
            } else {
                cache.remove(Person.self, ids: ids)
                model.removePeople(ids)
            }
        case 7:
            let kept = model.people.filter { _ in random.below(2) == 0 }
            cache.replaceAll(of: Person.self, with: kept.map { Person(id: $0) })
            model.removePeople(model.people.subtracting(kept))
        default:
            if random.below(2) == 0 {
                cache.removeAll(of: Folder.self)
                model.removeFolders(Array(model.folders.keys))
            } else {
                cache.removeAll(of: Document.self)
                model.removeDocuments(Array(model.documents.keys))
            }
        }
    }
}
