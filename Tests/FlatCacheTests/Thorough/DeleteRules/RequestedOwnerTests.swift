import Foundation
import SeededRandom
import TestThreads
import Testing

@testable import FlatCache

/// Removals while entities are requested that refer to what is removed.
@Suite("Delete rules of answers to earlier requests")
struct RequestedOwnerTests {
    private let cache = FlatCache()

    init() {
        cache.set(Folder(id: 1))
        cache.set(Person(id: 1))
    }

    /// Fetches documents whose request was sent before something else happens.
    ///
    /// - Parameters:
    ///   - documents: The documents in the answer.
    ///   - folders: The folders in the answer.
    ///   - people: The people in the answer.
    ///   - change: What happens.
    /// - Returns: The documents that are stored.
    private func fetch(
        _ documents: [Document],
        folders: [Folder] = [],
        people: [Person] = [],
        after change: @escaping @Sendable (FlatCache) async -> Void
    ) async -> [Document] {
        cache.setFetcher(of: Document.self) { (ids: Set<Int>, answer: inout FetchAnswer) in
            await change(FlatCache.current)
            answer.insert(contentsOf: documents)
            answer.insert(contentsOf: folders)
            answer.insert(contentsOf: people)
        }
        _ = try? await cache.fetch(Document.self, ids: documents.map { $0.id })
        return cache.allValues(of: Document.self)
    }

    /// Ways to remove the folder 1.
    enum Way: CaseIterable, Sendable {
        case stored, missing, withoutSlot, all, cascade, transaction

        func remove(from cache: FlatCache) {
            switch self {
            case .stored: cache.remove(Folder.self, id: 1)
            case .missing, .withoutSlot:
                cache.collect()
                let handle = self == .missing ? Cached(Folder.self, id: 1, in: cache) : nil
                cache.remove(Folder.self, id: 1)
                withExtendedLifetime(handle) {}
            case .all: cache.removeAll(of: Folder.self)
            case .cascade:
                cache.set(Folder(id: 1, parentID: 7))
                cache.remove(Folder.self, id: 7)
            case .transaction: cache.transaction { cache.remove(Folder.self, id: 1) }
            }
        }
    }

    @Test(
        "F3: What would have been removed with another entity isn't stored if it was requested before",
        arguments: Way.allCases,
        [[], [Folder(id: 1)]]
    )
    func cascade(_ way: Way, broughtAlong: [Folder]) async throws {
        let documents = [Document(id: 1, folderID: 1), Document(id: 2, folderID: 2)]
        let stored = await fetch(documents, folders: broughtAlong) { way.remove(from: $0) }
        #expect(stored == (way == .all ? [] : [documents[1]]))
        #expect(!cache.contains(Folder.self, id: 1))
        // What the server returns later is newer than the removal.
        #expect(await fetch(documents) { _ in }.count == 2)
    }

    @Test("F3: What removes itself is removed with all that the answer has of it", arguments: [[0, 1, 2], [2, 1, 0]])
    func chain(order: [Int]) async {
        let folders = [Folder(id: 2, parentID: 1), Folder(id: 3, parentID: 2), Folder(id: 4, parentID: 3)]
        let stored = await fetch([Document(id: 1, folderID: 4)], folders: order.map { folders[$0] }) {
            $0.remove(Folder.self, id: 1)
        }
        #expect(stored == [] && cache.count(of: Folder.self) == 0)
    }

    @Test("F3: What would have lost an identifier is stored without it", arguments: [[], [Person(id: 1)]])
    func nullify(broughtAlong: [Person]) async {
        let document = Document(
            id: 1,
            folderID: 1,
            authorID: 1,
            editorIDs: [1, 2],
            readerIDs: [1, 2],
            formerIDs: [1, 2],
            seatIDs: [[1], [2]],
            roleIDs: ["a": 1, "b": 2]
        )
        let stored = await fetch([document], people: broughtAlong) { $0.remove(Person.self, id: 1) }
        #expect(stored == [document.without(1)])
    }

    /// What is no removal of the folder 1 since the request.
    enum Other: CaseIterable, Sendable {
        case nothing, storedAgain, storedAgainByAnswer, evicted, evictedAndLost, moved, many

        func happen(in cache: FlatCache) {
            switch self {
            case .nothing: break
            case .storedAgain, .storedAgainByAnswer:
                cache.remove(Folder.self, id: 1)
                if self == .storedAgain { cache.set(Folder(id: 1)) }
            case .evicted, .evictedAndLost:
                cache.set(Folder(id: 1, coverID: 4))
                let handle = self == .evicted ? Cached(Folder.self, id: 1, in: cache) : nil
                cache.collect()
                withExtendedLifetime(handle) {}
            case .moved: cache.replaceIdentifier(of: Folder.self, 1, with: Folder(id: 9))
            case .many:
                cache.collect()
                for id in 100..<20_000 { cache.remove(Folder.self, id: id) }
            }
        }
    }

    @Test("What only looks as if it had been removed keeps what refers to it", arguments: Other.allCases)
    func notRemoved(_ other: Other) async {
        let document = Document(id: 1, folderID: 1)
        if other == .storedAgainByAnswer {
            let first = Task { await fetch([document]) { other.happen(in: $0) } }
            #expect(await first.value == [])
            cache.set(Folder(id: 1))
        }
        #expect(await fetch([document]) { if other != .storedAgainByAnswer { other.happen(in: $0) } } == [document])
    }

    @Test("F3: A list of an older page doesn't list what would have been removed")
    func page() async throws {
        let list = cache.list("all", of: Document.self, dropsRemoved: true)
        list.setLoader { (_: Int?) in
            cache.remove(Folder.self, id: 1)
            return ListPage([Document(id: 1, folderID: 1), Document(id: 2, folderID: 2)], next: nil)
        }
        try await list.refresh()
        #expect(list.ids == [2])
        #expect(!cache.contains(Document.self, id: 1))
    }

    @Test("F3: What an answer to a mutation brings along isn't stored if it would have been removed since it was sent")
    func mutation() async throws {
        cache.set(Document(id: 1, folderID: 2))
        _ = try await cache.mutate(Document.self, id: 1) {
            $0.authorID = 5
        } send: { [cache] in
            cache.remove(Folder.self, id: 1)
            return Document(id: 2, folderID: 1)
        }.value
        #expect(cache.allValues(of: Document.self).map { $0.id } == [1])
    }

    @Test("A removal of another thread before the commit of an answer counts, too")
    func race() async throws {
        // The answer is stored while the removal is being made.
        for _ in 0..<Extent.count(30, full: 3_000) {
            let cache = FlatCache()
            cache.set(Folder(id: 1))
            cache.setFetcher(of: Document.self) { id in
                _ = RunningThread { cache.remove(Folder.self, id: 1) }
                return Document(id: id, folderID: 1)
            }
            _ = try? await cache.fetch(Document.self, id: 1)
            #expect(await eventually { !cache.contains(Folder.self, id: 1) })
            #expect(!cache.contains(Document.self, id: 1))
        }
    }
}
