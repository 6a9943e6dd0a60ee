import Foundation
import Testing

@testable import FlatCache

/// A reply that is removed with its folder, as payloads have it.
private struct Reply: Cachable, Codable, Equatable, RelationshipOwner {
    let id: Int
    var folderID: Int

    struct Relationships: Sendable {
        var folder: _ToOne<Folder> { .init("Reply.folderID", { $0.folderID }, set: { $0.folderID = $1 }) }
    }
    static var relationships: Relationships { Relationships() }
    static var deleteRules: [FlatCache.DeleteRule<Reply>] { [.init(\.folder, .cascade)] }
}

/// The answer to a ``Replying`` mutation, which comes when the test says so.
private enum ReplyServer {
    @TaskLocal static var answer = ManualAnswer<Reply>()
}

private struct Replying: StorableMutation {
    static let storedName = "reply"

    var id: Int

    func change(_ change: inout MutationChanges) { change.insert(temporary: Reply(id: id, folderID: 1)) }

    func send(_ context: MutationContext) async throws -> Reply { try await ReplyServer.answer() }
}

/// What names pending owners of removed entities, and what becomes of the answers to their mutations.
@Suite("Answers to mutations of pending owners")
struct PendingOwnerAnswerTests {
    private let cache = FlatCache()
    private let draft = Document(id: -1, folderID: 1)

    /// What `send` returns.
    enum Answer: CaseIterable { case nothing, entity, otherEntity }

    private var shown: [Int] { cache.documentIDs }

    private var stored: [Int] { cache.confirmed { cache.documentIDs } }

    @Test(
        "Changes of lists and references by the mutation itself lose the owner",
        arguments: [nil] + Answer.allCases.map(Optional.some)
    )
    func names(_ kind: Answer?) async throws {
        let answer = ManualAnswer<Void>()
        let list = cache.list("all", of: Document.self, dropsRemoved: true)
        let plain = cache.list("plain", of: Document.self)
        let reference = cache.reference("last", of: Document.self, dropsRemoved: true)
        list.append(ids: [2])
        reference.id = 2
        let change: @Sendable (inout MutationChanges) -> Void = { [draft] change in
            change.insert(temporary: draft)
            change.prepend(-1, to: list)
            change.append(-1, to: plain)
            change.set(-1, of: reference)
        }
        let ended: () async -> Bool
        if kind == .nothing {
            let mutation = cache.mutate(change) { try await answer() }
            ended = mutation.ended
        } else {
            let mutation = cache.mutate(change) {
                try await answer()
                return Document(id: kind == .entity ? -1 : 9, folderID: 1)
            }
            ended = mutation.ended
        }
        await answer.hasBegun()
        #expect(Array(list.ids) == [-1, 2] && reference.id == -1)
        cache.remove(Folder.self, id: 1)
        #expect(Array(list.ids) == [2] && reference.id == nil)
        // A list that keeps removed entities keeps this one until the answer.
        #expect(Array(plain.ids) == [-1])
        if kind == nil { answer.fail() } else { answer.succeed() }
        #expect(await ended() == (kind != nil))
        #expect(Array(list.ids) == [2] && reference.id == (kind == nil ? 2 : nil))
        #expect(plain.isEmpty && shown.isEmpty && stored.isEmpty)
        cache.expectNoLayersOfDocuments()
    }

    @Test("A pending change of a list loses an entity that is removed, as the list itself does")
    func pendingListChange() async throws {
        cache.set(contentsOf: [Document(id: 1, folderID: 1), Document(id: 2, folderID: 2)])
        let list = cache.list("all", of: Document.self, dropsRemoved: true)
        let answer = ManualAnswer<Void>()
        let mutation = cache.mutate { change in
            change.append(1, to: list)
            change.append(2, to: list)
        } send: {
            try await answer()
        }
        await answer.hasBegun()
        cache.remove(Folder.self, id: 1)
        #expect(Array(list.ids) == [2])
        answer.succeed()
        try await mutation.value
        #expect(Array(list.ids) == [2])
    }

    @Test("An entity that is stored with its own identifier follows the rules as well", arguments: Answer.allCases)
    func stored(_ kind: Answer) async throws {
        cache.set(Folder(id: 1))
        let answer = ManualAnswer<Void>()
        let ended: () async throws -> Void
        switch kind {
        case .nothing:
            let mutation = cache.mutate { [draft] in
                $0.set(draft)
            } send: {
                try await answer()
            }
            ended = { try await mutation.value }
        case .entity, .otherEntity:
            let mutation = cache.mutate { [draft] in
                $0.set(draft)
            } send: {
                try await answer()
                return kind == .entity ? Document(id: -1, folderID: 1, authorID: 3) : Document(id: 5, folderID: 5)
            }
            ended = { _ = try await mutation.value }
        }
        await answer.hasBegun()
        cache.remove(Folder.self, id: 1)
        #expect(shown.isEmpty)
        answer.succeed()
        try await ended()
        #expect(shown == (kind == .otherEntity ? [5] : []) && stored == shown)
        cache.expectNoLayersOfDocuments()
    }

    @Test("A payload that would take the place of a removed entity isn't stored")
    func payload() async throws {
        let answer = ManualAnswer<Void>()
        let list = cache.list("replies", of: Reply.self, dropsRemoved: true)
        list.append(ids: [-1])
        let mutation = cache.mutate(inserting: Reply(id: -1, folderID: 1)) {
            try await answer()
            return try JSONDecoder().decode(Payload<Reply>.self, from: JSONEncoder().encode(Reply(id: 9, folderID: 1)))
        }
        await answer.hasBegun()
        cache.remove(Folder.self, id: 1)
        answer.succeed()
        #expect(try await mutation.value.value == nil)
        #expect(cache.count(of: Reply.self) == 0 && list.isEmpty && cache.currentID(of: Reply.self, -1) == -1)
        #expect(cache.pendingMutations.isEmpty)
    }

    @Test("The answer to a mutation that is a type isn't stored either")
    func storable() async throws {
        let answer = ManualAnswer<Reply>()
        let mutation = ReplyServer.$answer.withValue(answer) { cache.mutate(Replying(id: -1)) }
        await answer.hasBegun()
        cache.remove(Folder.self, id: 1)
        answer.succeed(Reply(id: 9, folderID: 1))
        #expect(try await mutation.value == Reply(id: 9, folderID: 1))
        #expect(cache.count(of: Reply.self) == 0 && cache.currentID(of: Reply.self, -1) == -1)
        #expect(cache.pendingMutations.isEmpty)
    }

    @Test(
        "A rule that nullifies is shown over the change, and applied to the answer",
        arguments: Answer.allCases
    )
    func nullify(_ kind: Answer) async throws {
        cache.set(Person(id: 1))
        cache.set(Document(id: 2, folderID: 2, authorID: 5))
        let answer = ManualAnswer<Void>()
        let draft = Document(id: -1, folderID: 1, authorID: 1, editorIDs: [1, 3], creatorID: 1)
        let ended: () async throws -> Void
        if kind == .nothing {
            let mutation = cache.mutate { change in
                change.set(draft)
                change.update(Document.self, id: -1) { $0.editorIDs.append(4) }
                change.update(Document.self, id: 2) { $0.authorID = 1 }
            } send: {
                try await answer()
            }
            ended = { try await mutation.value }
        } else {
            let mutation = cache.mutate(inserting: draft) {
                try await answer()
                return Document(id: kind == .entity ? -1 : 9, folderID: 1, authorID: 1)
            }
            ended = { _ = try await mutation.value }
        }
        await answer.hasBegun()
        cache.remove(Person.self, id: 1)
        let new = cache.get(Document.self, id: -1)
        #expect(new?.authorID == nil && new?.editorIDs == (kind == .nothing ? [3, 4] : [3]))
        // A required identifier remains.
        #expect(new?.creatorID == 1)
        #expect(cache.get(Document.self, id: 2)?.authorID == (kind == .nothing ? nil : 5))
        answer.succeed()
        try await ended()
        if kind == .nothing {
            #expect(cache.get(Document.self, id: -1) == new)
            #expect(cache.get(Document.self, id: 2)?.authorID == nil)
        } else {
            let id = kind == .entity ? -1 : 9
            #expect(cache.get(Document.self, id: id) == Document(id: id, folderID: 1))
        }
        cache.expectNoLayersOfDocuments()
    }

    @Test("A change that makes a confirmed entity an owner hides it until it ends", arguments: [true, false])
    func movedOwner(isConfirmed: Bool) async throws {
        cache.set(Document(id: 2, folderID: 2))
        let answer = ManualAnswer<Void>()
        let mutation = cache.mutate(Document.self, id: 2) {
            $0.folderID = 1
        } send: {
            try await answer()
        }
        await answer.hasBegun()
        cache.remove(Folder.self, id: 1)
        #expect(shown.isEmpty && stored == [2])
        if isConfirmed { answer.succeed() } else { answer.fail() }
        #expect(await mutation.ended() == isConfirmed)
        #expect(stored == (isConfirmed ? [] : [2]) && shown == stored)
        cache.expectNoLayersOfDocuments()
    }
}
