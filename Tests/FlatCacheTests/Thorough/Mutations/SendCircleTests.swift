import Testing

@testable import FlatCache

/// Closures that send mutations and wait for other mutations.
@Suite("Closures that wait for other mutations", .timeLimit(.minutes(30)))
struct SendCircleTests {
    /// Why an insertion is sent after a mutation whose closure waits for it.
    enum Order: CaseIterable {
        case serial, sameEntity, relationship, byAnother, ownInsertion
    }

    private let cache = FlatCache()

    init() {
        cache.set(contentsOf: [Memo(id: "a"), Memo(id: "b")])
    }

    @Test(
        "A wait for an insertion that is sent later throws an error, and then that is sent",
        arguments: Order.allCases
    )
    func identifier(order: Order) async throws {
        let begun = ManualAnswer<Void>()
        let wait: @Sendable () async throws -> Void = { [cache] in
            try await begun()
            _ = try await cache.resolvedID(of: Memo.self, "tmp")
        }
        let create: @Sendable (Memo) async throws -> Memo = { Memo(id: "7", text: $0.text, parentID: $0.parentID) }
        let sender: PendingMutation
        var insertion: Mutation<Memo>?
        switch order {
        case .serial:
            sender = cache.mutate(Memo.self, id: "a", order: .serial("k"), { _ in }, send: wait)
            insertion = cache.mutate(inserting: Memo(id: "tmp"), order: .serial("k"), send: create)
        case .sameEntity:
            sender = cache.mutate(Memo.self, id: "a", { _ in }, send: wait)
            insertion = cache.mutate {
                $0.update(Memo.self, id: "a") { _ in }
                $0.insert(temporary: Memo(id: "tmp"))
            } send: {
                try await create($0.entity(Memo.self, id: "tmp"))
            }
        case .relationship:
            sender = cache.mutate(inserting: Memo(id: "other")) {
                try await wait()
                return $0
            }
            insertion = cache.mutate(inserting: Memo(id: "tmp", parentID: "other"), send: create)
        case .byAnother:
            sender = cache.mutate(Memo.self, id: "a", order: .serial("k"), { _ in }, send: wait)
            cache.mutate(Memo.self, id: "b", order: .serial("k"), { _ in }, send: {})
            insertion = cache.mutate {
                $0.update(Memo.self, id: "b") { _ in }
                $0.insert(temporary: Memo(id: "tmp"))
            } send: {
                try await create($0.entity(Memo.self, id: "tmp"))
            }
        case .ownInsertion:
            sender = cache.mutate(inserting: Memo(id: "tmp")) {
                try await wait()
                return try await create($0)
            }
        }
        begun.succeed()
        await #expect {
            try await sender.waitForEnd()
        } throws: { error in
            guard case MutationError.cyclic(let keys) = error else { return false }
            return keys.contains(FlatCacheKey(Memo.self, id: "tmp"))
        }
        if order == .relationship {
            await #expect(throws: MutationError.self) { try await insertion?.value }
        } else {
            #expect(try await insertion?.value == insertion.map { _ in Memo(id: "7") })
        }
        #expect(cache.pendingMutations.isEmpty)
    }

    @Test("A wait for the answer to a mutation that is sent later throws the same error")
    func answer() async throws {
        let begun = ManualAnswer<Void>()
        let later = Protected<Mutation<Void>?>(nil)
        let sender = cache.mutate(Memo.self, id: "a") {
            $0.text = "1"
        } send: {
            try await begun()
            try await later.withLock { $0 }?.value
        }
        let mutation = cache.mutate(Memo.self, id: "a", { $0.text += "2" }, send: {})
        later.withLock { $0 = mutation }
        begun.succeed()
        await #expect {
            try await sender.value
        } throws: { error in
            "\(error)".contains("sent after it: the two would wait for each other. Wait after 'send' has returned")
        }
        try await mutation.value
        #expect(cache.text("a") == "2")
        later.withLock { $0 = nil }
    }

    @Test("A mutation that comes to wait for one whose closure waits for it lets that throw")
    func later() async throws {
        let (first, second) = (ManualAnswer<Void>(), ManualAnswer<Void>())
        // It waits for an insertion that isn't sent yet.
        cache.mutate(Memo.self, id: "b", order: .serial("k"), { _ in }, send: first.callAsFunction)
        let sender = cache.mutate(inserting: Memo(id: "other")) { [cache] in
            try await second()
            _ = try await cache.resolvedID(of: Memo.self, "tmp")
            return $0
        }
        let insertion = cache.mutate(inserting: Memo(id: "tmp"), order: .serial("k")) { $0 }
        second.succeed()
        await until { cache.mutations.hasSendWaits }
        // Now the insertion names what the other one inserts.
        cache.update(Memo.self, id: "tmp") { $0.parentID = "other" }
        cache.set(Memo(id: "tmp", parentID: "other"))
        first.succeed()
        await #expect(throws: MutationError.self) { try await sender.value }
        await #expect(throws: MutationError.self) { try await insertion.value }
        #expect(cache.pendingMutations.isEmpty)
    }

    @Test(
        "A closure waits for what is sent before or beside it, and a task that it starts for all",
        arguments: [false, true]
    )
    func others(isTask: Bool) async throws {
        let order = isTask ? MutationOrder.serial("k") : .byEntity
        let task = Protected<Task<String, any Error>?>(nil)
        let sender = cache.mutate(Memo.self, id: "a", order: order) {
            $0.text = "1"
        } send: { [cache] in
            if isTask {
                let started = Task { try await cache.resolvedID(of: Memo.self, "tmp") }
                task.withLock { $0 = started }
            } else {
                try await #expect(cache.resolvedID(of: Memo.self, "tmp") == "7")
            }
        }
        let insertion = cache.mutate(inserting: Memo(id: "tmp"), order: order) { _ in Memo(id: "7") }
        try await sender.value
        #expect(try await insertion.value == Memo(id: "7"))
        if isTask { #expect(try await task.withLock { $0 }?.value == "7") }
    }
}
