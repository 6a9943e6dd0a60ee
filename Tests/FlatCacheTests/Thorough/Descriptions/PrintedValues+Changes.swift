import FlatCache
import Foundation

extension PrintedValue {
    static let changes: [PrintedValue] = [
        PrintedValue("CacheSubscription", "CacheSubscription: active") { cache in
            cache.observe(Toast.self, id: "1") { _ in }
        },
        PrintedValue("CacheSubscription", "CacheSubscription: ended") { cache in
            let subscription = cache.observe(Toast.self, id: "1") { _ in }
            subscription.cancel()
            return subscription
        },
        PrintedValue("CacheUpdates", "CacheUpdates<Swift.Optional<T.Toast>>") { $0.updates(of: Toast.self, id: "1") },
        PrintedValue("CommitUpdates", "CommitUpdates<FlatCache.TypeChanges<T.Toast>>") {
            $0.changes(ofAll: Toast.self, buffering: .each(atMost: 3))
        },
        PrintedValue("FlatCache.Buffering", "Buffering(limit: 3)") { _ in FlatCache.Buffering.each(atMost: 3) },
        PrintedValue("ChangeKind", "updated") { _ in ChangeKind.updated },
        PrintedValue("ChangeSet", "ChangeSet: initial, 1 inserted, revision 1") { cache in
            try cache.received {
                cache.observe([Toast.flatCacheKey(id: "1"), Toast.flatCacheKey(id: "9")], onChange: $0)
            }
        },
        PrintedValue("ChangeSet", "ChangeSet: 1 inserted, 1 removed, revision 6") { cache in
            let keys = [Toast.flatCacheKey(id: "1"), Toast.flatCacheKey(id: "9")]
            return try cache.received {
                cache.observe(keys, onChange: $0)
            } after: {
                cache.transaction {
                    cache.set(Toast(id: "9"))
                    cache.remove(Toast.self, id: "1")
                }
            }
        },
        PrintedValue("EntityChange", #"T.Toast("1") updated in revision 6"#) { cache in
            try cache.received {
                cache.observe(Toast.self, id: "1", onChange: $0)
            } after: {
                cache.set(Toast(id: "1"))
            }
        },
        PrintedValue("TypeChanges", "TypeChanges<T.Toast>: 1 inserted, 1 updated, revision 7") { try $0.changed() },
        PrintedValue("TypeChanges.Update", #"TypeChanges<T.Toast>.Update: T.Toast("1")"#) {
            try $0.changed().updated[0]
        },
        PrintedValue(
            "FlatCache.OverflowError",
            """
            More than 1 commit waited for a sequence of changes. Read the stored entities and begin a new \
            sequence, with a larger buffer or a faster loop, or without 'buffering', so that waiting commits are \
            folded
            """
        ) { cache in
            var changes = cache.changes(ofAll: Toast.self, buffering: .each(atMost: 1)).makeAsyncIterator()
            for _ in 0..<3 { cache.set(Toast(id: "1", likes: cache.count)); cache.remove(Toast.self, id: "1") }
            do { while try await changes.next() != nil {} } catch { return error }
            return cache
        },
    ]

    static let mutations: [PrintedValue] = [
        PrintedValue("Mutation", #"Mutation<Void>: T.Toast("1"), sending"#) { $0.like("1") },
        PrintedValue("Mutation", #"Mutation<Void>: T.Toast("1"), waiting"#) { cache in
            cache.like("1")
            return cache.like("1")
        },
        PrintedValue(
            "Mutation",
            #"""
            Mutation<Void>: T.Toast("1"), dropped: The mutation was cancelled, so its changes are dropped. Begin \#
            it again if it is wanted
            """#
        ) { cache in
            cache.like("1")
            let mutation = cache.like("1")
            mutation.cancel()
            return mutation
        },
        PrintedValue("Mutation", #"Mutation<Void>: T.Toast("1"), failed: the server refuses"#) { cache in
            let mutation = Cached(Toast.self, id: "1", in: cache).mutate {
                $0.likes += 1
            } send: {
                throw Rejection()
            }
            _ = try? await mutation.value
            return mutation
        },
        PrintedValue("Mutation", #"Mutation<Void>: T.Toast("1"), confirmed"#) { cache in
            let mutation = cache.mutate(Renaming(id: "1"))
            try await mutation.value
            return mutation
        },
        PrintedValue(
            "PendingMutation",
            #"Mutation<Void>: T.Toast("1"), T.Toast("2"), T.Toast("3") and 4 more, sending"#
        ) { cache in
            cache.mutate { changes in
                for id in 1...7 { changes.update(Toast.self, id: "\(id)") { $0.likes += 1 } }
            } send: {
                try await ManualAnswer<Void>()()
            }
            return cache.pendingMutations[0]
        },
        PrintedValue("PendingMutation.State", "failed: the server refuses") { _ in
            PendingMutation.State.failed(Rejection())
        },
        PrintedValue("KeyMutations", "KeyMutations: 2 pending") { cache in
            cache.like("1")
            cache.like("1")
            return Cached(Toast.self, id: "1", in: cache).mutations
        },
        PrintedValue("KeyMutations", "KeyMutations: 0 pending, last error: the server refuses") { cache in
            let mutation = Cached(Toast.self, id: "1", in: cache).mutate {
                $0.likes += 1
            } send: {
                throw Rejection()
            }
            _ = try? await mutation.value
            return Cached(Toast.self, id: "1", in: cache).mutations
        },
        PrintedValue("MutationChanges", "MutationChanges: 2 changes") { cache in
            var made: MutationChanges?
            cache.mutate { changes in
                changes.set(Toast(id: "1"))
                changes.set(Toast(id: "2"))
                made = changes
            } send: {
                try await ManualAnswer<Void>()()
            }
            return try some(made)
        },
        PrintedValue("MutationContext", #"MutationContext("8f"): replay"#) { _ in
            MutationContext(idempotencyKey: "8f", isReplay: true)
        },
        PrintedValue(
            "MutationError",
            #"The mutation was not sent, because the insertion of T.Toast("1") has failed: the server refuses"#
        ) { _ in
            MutationError.insertionFailed(Toast.flatCacheKey(id: "1"), Rejection())
        },
        PrintedValue("MutationOrder", #"serial("likes")"#) { _ in MutationOrder.serial("likes") },
        PrintedValue("IdentifierReplacement", #"IdentifierReplacement: T.Cook("7") by T.Cook("8"), 2 changed owners"#) {
            cache in
            cache.replaceIdentifier(of: Cook.self, "7", with: Cook(id: "8"))
        },
        PrintedValue("IdentifierReplacement.UnchangedRelationship", #"'cookID' of T.Chair("1")"#) { cache in
            cache.set(Chair(id: "1", cookID: "7"))
            return cache.replaceIdentifier(of: Cook.self, "7", with: Cook(id: "8")).unchanged[0]
        },
    ]

    static let fetching: [PrintedValue] = [
        PrintedValue("EntityStatus", "idle") { Cached(Toast.self, id: "1", in: $0).status },
        PrintedValue(
            "EntityStatus",
            #"""
            failed: The fetcher of T.Toast("5") has failed: the server refuses. Fetch it again to call the fetcher \#
            again
            """#
        ) { cache in
            let handle = Cached(Toast.self, id: "5", in: cache)
            cache.setFetcher(of: Toast.self) { (_: String) -> Toast? in throw Rejection() }
            _ = try? await handle.fetch()
            return handle.status
        },
        PrintedValue(
            "FetchError",
            #"""
            The fetcher of T.Toast("1"), T.Toast("2"), T.Toast("3"), T.Toast("4"), T.Toast("5") and 1,995 more has \#
            failed: the server refuses. Fetch them again to call the fetcher again
            """#
        ) { _ in FetchError.failed((1...2_000).map { Toast.flatCacheKey(id: "\($0)") }, Rejection()) },
        PrintedValue("FetchPolicy", "cacheFirst(maxAge: 60.0 seconds)") { _ in
            FetchPolicy.cacheFirst(maxAge: .seconds(60))
        },
        PrintedValue("FlatCache.NotModified", "FlatCache.NotModified: 1 key") { _ in
            FlatCache.NotModified([Toast.flatCacheKey(id: "1")])
        },
    ]
}

/// An entity whose relationship can't be changed.
struct Chair: Cachable, RelationshipOwner, Equatable {
    let id: String
    let cookID: String

    struct Relationships: Sendable {
        var cook: _ToOne<Cook> { .init("cookID", { $0.cookID }) }
    }
    static var relationships: Relationships { Relationships() }
    static var allRelationships: _All { [.init(\.cook)] }
}

extension FlatCache {
    /// A mutation that is sent without end.
    @discardableResult fileprivate func like(_ id: String) -> Mutation<Void> {
        Cached(Toast.self, id: id, in: self).mutate {
            $0.likes += 1
        } send: {
            try await ManualAnswer<Void>()()
        }
    }

    fileprivate func changed() throws -> TypeChanges<Toast> {
        try received {
            observe(all: Toast.self, onChange: $0)
        } after: {
            transaction {
                set(Toast(id: "1"))
                set(Toast(id: "4"))
            }
        }
    }
}
