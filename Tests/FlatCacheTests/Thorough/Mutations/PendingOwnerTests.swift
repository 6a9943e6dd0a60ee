import Testing

@testable import FlatCache

/// Documents that only pending mutations show, and whose folder 1 is removed.
@Suite("Pending owners of removed entities")
struct PendingOwnerTests {
    private let cache = FlatCache()
    private let answer = ManualAnswer<Document>()
    private let draft = Document(id: -1, folderID: 1)

    /// A way to remove the folder 1.
    enum Removal: CaseIterable {
        case id, ids, all, condition, replacement, handle, transaction, nested, mutation, missing

        func callAsFunction(in cache: FlatCache) async throws {
            switch self {
            case .id, .missing: cache.remove(Folder.self, id: 1)
            case .ids: cache.remove(Folder.self, ids: [7, 1])
            case .all: cache.removeAll(of: Folder.self)
            case .condition: cache.remove(Folder.self) { $0.id == 1 }
            case .replacement: cache.replaceAll(of: Folder.self, with: [Folder(id: 2)])
            case .handle: Cached(Folder.self, id: 1, in: cache).remove()
            case .transaction: cache.transaction { _ = cache.remove(Folder.self, id: 1) }
            case .nested:
                cache.transaction {
                    cache.set(Folder(id: 1))
                    cache.transaction { _ = cache.remove(Folder.self, id: 1) }
                }
            case .mutation:
                let removal = cache.mutate {
                    $0.remove(Folder.self, id: 1)
                } send: {
                }
                try await removal.value
            }
        }
    }

    private func insert(_ document: Document? = nil, order: MutationOrder = .byEntity) -> Mutation<Document> {
        cache.mutate(inserting: document ?? draft, order: order) { [answer] in try await answer() }
    }

    private var shown: [Int] { cache.documentIDs }

    private var stored: [Int] { cache.confirmed { cache.documentIDs } }

    @Test("It is gone in the commit of the removal, and its answer isn't stored", arguments: Removal.allCases)
    func cascade(_ remove: Removal) async throws {
        if remove != .missing { cache.set(Folder(id: 1)) }
        cache.set(Document(id: 2, folderID: 2))
        let mutation = insert()
        await answer.hasBegun()
        let list = cache.list("all", of: Document.self, dropsRemoved: true)
        list.append(ids: [2, -1])
        let reference = cache.reference("last", of: Document.self, dropsRemoved: true)
        reference.id = -1
        let states = Recorder<String>()
        let subscription = cache.observe { [cache] in
            let isStored = cache.contains(Folder.self, id: 1)
            let query = cache.query(FlatCache.Query(Document.self).filter(\.folderID, equals: 1)).values.map(\.id)
            let all = cache.allValues(of: Document.self).map(\.id).sorted()
            return "\(isStored) \(query) \(all) \(Array(list.ids)) \(reference.id ?? 0)"
        } onChange: {
            states.record($0)
        }
        #expect(states.take() == ["\(remove != .missing) [-1] [-1, 2] [2, -1] -1"])
        try await remove(in: cache)
        #expect(Set(states.take()) == ["false [] [2] [2] 0"])
        #expect(stored == [2] && mutation.isPending)
        answer.succeed(Document(id: 9, folderID: 1))
        #expect(try await mutation.value == Document(id: 9, folderID: 1))
        #expect(shown == [2] && stored == [2] && states.take().isEmpty)
        #expect(Array(list.ids) == [2] && reference.id == nil)
        #expect(cache.currentID(of: Document.self, -1) == -1 && cache.get(Document.self, id: -1) == nil)
        cache.expectNoLayersOfDocuments()
        // What is stored later is newer.
        cache.set(Document(id: 9, folderID: 1))
        #expect(shown == [2, 9])
        subscription.cancel()
    }

    @Test("The rules reach pending owners of pending owners, and confirmed ones", arguments: [true, false])
    func levels(isSent: Bool) async throws {
        cache.set(contentsOf: [Folder(id: 1), Folder(id: 5, parentID: -2)])
        cache.set(Document(id: 6, folderID: 5))
        let folderAnswer = ManualAnswer<Folder>()
        let first =
            isSent
            ? nil
            : cache.mutate(order: .serial("a")) { _ in
            } send: {
                _ = try await folderAnswer()
            }
        let folder = cache.mutate(inserting: Folder(id: -2, parentID: 1), order: .serial("a")) {
            try await folderAnswer()
        }
        let document = insert(Document(id: -3, folderID: -2))
        await folderAnswer.hasBegun()
        await answer.hasBegun()
        #expect(shown == [-3, 6])
        cache.remove(Folder.self, id: 1)
        #expect(shown.isEmpty && cache.count(of: Folder.self) == 0)
        answer.succeed(Document(id: 9, folderID: -2))
        #expect(try await document.value.id == 9)
        // Without the rule, both are sent.
        for _ in 0..<2 { folderAnswer.succeed(Folder(id: 8, parentID: 1)) }
        try await first?.value
        #expect(await folder.ended() == isSent)
        #expect(shown.isEmpty && cache.count(of: Folder.self) == 0)
        cache.expectNoLayersOfDocuments()
    }

    @Test("Pending owners in a circle are removed once")
    func circle() async throws {
        let answer = ManualAnswer<Void>()
        let mutation = cache.mutate { change in
            for id in 1...3 { change.set(Folder(id: id, parentID: id % 3 + 1)) }
            change.set(Folder(id: 4, parentID: 7))
        } send: {
            try await answer()
        }
        await answer.hasBegun()
        cache.remove(Folder.self, id: 7)
        #expect(cache.allValues(of: Folder.self).map(\.id).sorted() == [1, 2, 3])
        // It removes what is confirmed, which is nothing, so the owners remain, too.
        cache.remove(Folder.self, id: 1)
        #expect(cache.count(of: Folder.self) == 3)
        cache.set(Folder(id: 2))
        cache.remove(Folder.self, id: 2)
        #expect(cache.count(of: Folder.self) == 0)
        answer.succeed()
        try await mutation.value
        #expect(cache.count(of: Folder.self) == 0)
        cache.expectNoLayersOfDocuments()
    }

    @Test("A mutation that isn't sent yet ends with an error and isn't sent", arguments: [true, false])
    func unsent(isInLine: Bool) async throws {
        cache.set(Folder(id: 1))
        cache.set(Document(id: 2, folderID: 2))
        let first = ManualAnswer<Void>()
        let sent = Recorder<Int>()
        let order = isInLine ? MutationOrder.serial("a") : .byEntity
        let blocking = cache.mutate(Document.self, id: 2, order: order) {
            $0.authorID = 1
        } send: {
            try await first()
        }
        let mutation = cache.mutate(order: order) { [draft] change in
            change.insert(temporary: draft)
            change.update(Document.self, id: 2) { $0.authorID = 2 }
        } send: {
            sent.record(1)
        }
        let follower = cache.mutate(Document.self, id: -1) {
            $0.authorID = 3
        } send: {
            sent.record(2)
        }
        let independent = cache.mutate(Document.self, id: 2, order: order) {
            $0.creatorID = 4
        } send: {
            sent.record(3)
        }
        #expect(shown == [-1, 2] && mutation.isPending)
        cache.remove(Folder.self, id: 1)
        #expect(shown == [2] && cache.get(Document.self, id: 2)?.authorID == 1)
        let key = FlatCacheKey(Document.self, id: -1)
        guard case .dropped(.entityRemoved(key)) = mutation.state else {
            Issue.record("\(mutation.state)")
            return
        }
        do { try await mutation.value } catch {
            #expect(
                "\(error)" == """
                    The mutation was not sent, because \(key) was removed with an entity that it refers to, by a delete rule. \
                    Begin it again with another one to refer to, if it is wanted
                    """
            )
        }
        #expect(Cached(Document.self, id: -1, in: cache).mutations.lastError is MutationError)
        await #expect(throws: MutationError.self) { try await follower.value }
        await #expect(throws: MutationError.self) {
            try await cache.resolvedID(of: Document.self, -1)
        }
        first.succeed()
        try await blocking.value
        try await independent.value
        #expect(sent.elements == [3])
        cache.expectNoLayersOfDocuments()
    }

    @Test("A mutation of a pending owner that begins after the removal ends with the insertion")
    func later() async throws {
        let mutation = insert()
        await answer.hasBegun()
        cache.remove(Folder.self, id: 1)
        let sent = Recorder<Int>()
        let later = cache.mutate(Document.self, id: -1) {
            $0.authorID = 3
        } send: {
            sent.record(1)
        }
        #expect(shown.isEmpty)
        answer.succeed(Document(id: 9, folderID: 1))
        _ = try await mutation.value
        await #expect(throws: MutationError.self) { try await later.value }
        #expect(shown.isEmpty && sent.elements.isEmpty)
        cache.expectNoLayersOfDocuments()
    }

    @Test("A pending removal hides pending owners until it ends", arguments: [true, false], [true, false])
    func pendingRemoval(isInTransaction: Bool, isConfirmed: Bool) async throws {
        cache.set(Folder(id: 1))
        let mutation = insert()
        await answer.hasBegun()
        let removed = ManualAnswer<Void>()
        func remove() -> Mutation<Void> {
            cache.mutate {
                $0.remove(Folder.self, id: 1)
            } send: {
                try await removed()
            }
        }
        let removal = isInTransaction ? cache.transaction { remove() } : remove()
        await removed.hasBegun()
        #expect(shown.isEmpty && cache.count(of: Folder.self) == 0)
        if isConfirmed { removed.succeed() } else { removed.fail() }
        #expect(await removal.ended() == isConfirmed)
        #expect(shown == (isConfirmed ? [] : [-1]))
        answer.succeed(Document(id: 9, folderID: 1))
        _ = try await mutation.value
        #expect(shown == (isConfirmed ? [] : [9]) && stored == shown)
        cache.expectNoLayersOfDocuments()
    }

    @Test("One that a pending removal hides is removed with the confirmed entity", arguments: [true, false])
    func hidden(isRemovalOfOwner: Bool) async throws {
        cache.set(Folder(id: 1))
        let mutation = insert()
        await answer.hasBegun()
        let removed = ManualAnswer<Void>()
        let removal = cache.mutate(order: .concurrent) {
            if isRemovalOfOwner { $0.remove(Document.self, id: -1) } else { $0.remove(Folder.self, id: 1) }
        } send: {
            try await removed()
        }
        #expect(shown.isEmpty)
        cache.remove(Folder.self, id: 1)
        removed.fail()
        #expect(await !removal.ended())
        #expect(shown.isEmpty)
        answer.succeed(Document(id: 9, folderID: 1))
        _ = try await mutation.value
        #expect(shown.isEmpty && stored.isEmpty)
        cache.expectNoLayersOfDocuments()
    }

    @Test("A transaction that throws changes no pending owner", arguments: [true, false])
    func thrown(isNested: Bool) async throws {
        cache.set(Folder(id: 1))
        let mutation = insert()
        await answer.hasBegun()
        try? cache.transaction {
            if isNested {
                try? cache.transaction {
                    cache.remove(Folder.self, id: 1)
                    throw RejectedError()
                }
                cache.set(Person(id: 1))
            } else {
                cache.remove(Folder.self, id: 1)
                throw RejectedError()
            }
        }
        #expect(shown == [-1] && mutation.isPending)
        answer.succeed(Document(id: 9, folderID: 1))
        _ = try await mutation.value
        #expect(shown == [9] && cache.currentID(of: Document.self, -1) == 9)
    }

    @Test("An answer that comes before the removal is removed as a confirmed entity")
    func answered() async throws {
        cache.set(Folder(id: 1))
        let mutation = insert()
        answer.succeed(Document(id: 9, folderID: 1))
        _ = try await mutation.value
        cache.remove(Folder.self, id: 1)
        #expect(shown.isEmpty)
    }

    @Test("An owner that is stored in the transaction after the removal remains")
    func storedAfterRemoval() async throws {
        let mutation = insert()
        await answer.hasBegun()
        cache.transaction {
            cache.remove(Folder.self, id: 1)
            cache.set(Document(id: -1, folderID: 1))
        }
        #expect(shown == [-1] && stored == [-1])
        answer.succeed(Document(id: 9, folderID: 1))
        _ = try await mutation.value
        #expect(shown == [9])
    }
}

extension FlatCache {
    /// The identifiers of the documents that readers see, in order.
    var documentIDs: [Int] { allValues(of: Document.self).map(\.id).sorted() }

    /// Checks that no mutation has left something.
    func expectNoLayersOfDocuments() {
        #expect(pendingMutations.isEmpty)
        #expect(registry.table(of: Document.self).takeUnretainedValue().layeredKeyCount == 0)
        #expect(registry.table(of: Folder.self).takeUnretainedValue().layeredKeyCount == 0)
    }
}
