import Testing

@testable import FlatCache

/// Documents that pending mutations put into a folder that is removed and stored again.
@Suite("Pending owners whose related entity is stored again")
struct RestoredOwnerTests {
    /// What a mutation does with a document.
    enum Change: CaseIterable {
        case insertion, insertionOfStored, storing, storingWithAnswer, update, updateWithAnswer
    }

    private let cache = FlatCache()
    private let answer = ManualAnswer<Void>()

    /// Begins a mutation that puts a document into the folder 1.
    ///
    /// - Returns: The mutation, and the identifier of the document after the answer.
    private func begin(_ change: Change) -> (PendingMutation, id: Int) {
        let draft = Document(id: -1, folderID: 1)
        switch change {
        case .insertion:
            let mutation = cache.mutate(inserting: draft) { [answer] in
                try await answer()
                return Document(id: 9, folderID: 1)
            }
            return (mutation, 9)
        case .insertionOfStored:
            let mutation = cache.mutate(inserting: draft) { [answer] in
                try await answer()
                return Document(id: -1, folderID: 1)
            }
            return (mutation, -1)
        case .storing:
            return (cache.mutate({ $0.set(draft) }, send: { [answer] in try await answer() }), -1)
        case .storingWithAnswer:
            let mutation = cache.mutate {
                $0.set(draft)
            } send: { [answer] in
                try await answer()
                return draft
            }
            return (mutation, -1)
        case .update:
            let mutation = cache.mutate(Document.self, id: 2) {
                $0.folderID = 1
            } send: { [answer] in
                try await answer()
            }
            return (mutation, 2)
        case .updateWithAnswer:
            let mutation = cache.mutate(Document.self, id: 2) {
                $0.folderID = 1
            } send: { [answer] in
                try await answer()
                return $0
            }
            return (mutation, 2)
        }
    }

    private func setUp() {
        cache.set(Folder(id: 1))
        cache.set(Document(id: 2, folderID: 2))
    }

    @Test("The answer is stored if the related entity is stored again before", arguments: Change.allCases)
    func storedAgain(change: Change) async throws {
        setUp()
        let (mutation, id) = begin(change)
        await answer.hasBegun()
        cache.remove(Folder.self, id: 1)
        #expect(!cache.allValues(of: Document.self).contains { $0.folderID == 1 })
        cache.set(Folder(id: 1))
        answer.succeed()
        try await mutation.waitForEnd()
        let documents = [Document(id: id, folderID: 1)] + (id == 2 ? [] : [Document(id: 2, folderID: 2)])
        #expect(cache.allValues(of: Document.self).sorted { $0.folderID < $1.folderID } == documents)
        #expect(cache.confirmed { cache.documentIDs } == cache.documentIDs)
        cache.expectNoLayersOfDocuments()
    }

    @Test("The answer isn't stored if the related entity is removed once more", arguments: Change.allCases)
    func removedAgain(change: Change) async throws {
        setUp()
        let (mutation, id) = begin(change)
        await answer.hasBegun()
        cache.remove(Folder.self, id: 1)
        cache.set(Folder(id: 1))
        cache.remove(Folder.self, id: 1)
        answer.succeed()
        try await mutation.waitForEnd()
        #expect(cache.documentIDs == (id == 2 ? [] : [2]) && cache.confirmed { cache.documentIDs } == cache.documentIDs)
        cache.expectNoLayersOfDocuments()
    }

    @Test("What others have removed itself stays removed", arguments: [Change.insertionOfStored, .storing])
    func removedItself(change: Change) async throws {
        setUp()
        let (mutation, id) = begin(change)
        await answer.hasBegun()
        cache.remove(Folder.self, id: 1)
        cache.set(Folder(id: 1))
        cache.set(Document(id: id, folderID: 1))
        cache.remove(Document.self, id: id)
        answer.succeed()
        try await mutation.waitForEnd()
        #expect(cache.documentIDs == [2])
        cache.expectNoLayersOfDocuments()
    }

    @Test("A failed mutation leaves what was stored", arguments: Change.allCases)
    func failed(change: Change) async throws {
        setUp()
        let (mutation, _) = begin(change)
        await answer.hasBegun()
        cache.remove(Folder.self, id: 1)
        cache.set(Folder(id: 1))
        answer.fail()
        await #expect(throws: RejectedError.self) { try await mutation.waitForEnd() }
        #expect(cache.allValues(of: Document.self) == [Document(id: 2, folderID: 2)])
        cache.expectNoLayersOfDocuments()
    }

    @Test("A rule that nullifies isn't applied either", arguments: [true, false])
    func nullified(isStoredAgain: Bool) async throws {
        cache.set(Person(id: 1))
        cache.set(Document(id: 2, folderID: 2))
        let mutation = cache.mutate(Document.self, id: 2) {
            $0.authorID = 1
        } send: { [answer] in
            try await answer()
        }
        await answer.hasBegun()
        cache.remove(Person.self, id: 1)
        if isStoredAgain { cache.set(Person(id: 1)) }
        answer.succeed()
        try await mutation.value
        #expect(cache.get(Document.self, id: 2)?.authorID == (isStoredAgain ? 1 : nil))
    }

    @Test("A mutation that needs the entity is sent after it", arguments: [true, false])
    func follower(isStoredAgain: Bool) async throws {
        cache.set(Folder(id: 1))
        let folder = cache.mutate(inserting: Folder(id: -2, parentID: 1)) { [answer] in
            try await answer()
            return Folder(id: 7, parentID: 1)
        }
        await answer.hasBegun()
        let follower = cache.mutate {
            $0.append(-2, to: cache.list("folders", of: Folder.self))
        } send: {
        }
        cache.remove(Folder.self, id: 1)
        if isStoredAgain { cache.set(Folder(id: 1)) }
        answer.succeed()
        _ = try await folder.value
        #expect(await follower.ended() == isStoredAgain)
        #expect(Array(cache.list("folders", of: Folder.self).ids) == (isStoredAgain ? [7] : []))
        #expect(cache.allValues(of: Folder.self).map(\.id).sorted() == (isStoredAgain ? [1, 7] : []))
    }
}
