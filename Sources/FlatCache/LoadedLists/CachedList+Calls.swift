/// The calls of the loader of a list, and their pages.
extension CachedList {
    /// Joins the call for a place, or begins one, and waits for it.
    func run(
        _ place: ListPlace,
        _ joining: ListJoining = .replace,
        _ policy: FetchPolicy = .networkOnly,
        around entity: Value.ID? = nil
    ) async throws -> Bool {
        guard let cache else { throw ListError.cacheGone(name) }
        let caller = FetchGraphNode.ofTask
        while true {
            try Task.checkCancellation()
            let begun = try begin(place, joining, policy, around: entity, caller: caller)
            guard let (loader, call, isNew) = begun else { return false }
            defer {
                caller?.endWait(for: call.node)
                if loader.leave(call) { end([call]) }
            }
            if isNew { call.start { await perform(call, loader, cache) } }
            let isJoined = try await call.wait()
            // Those who wait for a call that a newer one replaces wait for that.
            if !call.isReplaced { return isJoined }
        }
    }

    /// Calls the loader, and joins the page to the list.
    func perform(_ call: ListCall<Value>, _ loader: ListLoader<Value>, _ cache: FlatCache) async {
        let result: Result<Bool, any Error>
        let revision = cache.revision()
        do {
            let request = call.request
            let work = try await FetchGraphNode.$current.withValue(call.node) {
                try await FlatCache.withCurrent(cache) { try await request.source.work(request.page) }
            }
            call.node.end()
            let condition = loader.condition(of: call, since: revision)
            result = await cache.withLoaded(work.content, if: condition, isolation: nil) {
                guard loader.end(call, isJoining: true) else { return .success(false) }
                defer { loader.endJoining(call) }
                // Others may have joined the call meanwhile.
                let condition = loader.condition(of: call, since: revision)
                return Result { try join(work, condition, call, loader, in: cache) }
            }
            switch result {
            case .success(true): break
            case .success(false): end([call])
            case .failure(let error): end([call], error)
            }
        } catch {
            call.node.end()
            let isCurrent = loader.end(call)
            if isCurrent, let answer = error as? FlatCache.NotModified {
                for key in answer.keys { cache.markFresh(key, since: revision) }
                result = Result { try noteUnmodified(call, since: revision, in: cache) }
            } else {
                end([call], isCurrent ? error : nil)
                result = isCurrent ? .failure(error) : .success(false)
            }
        }
        call.finish(result)
    }

    /// Notes that the server has no other first page than the list, whose age begins again.
    ///
    /// - Returns: Whether the list is still the one that was asked for.
    /// - Throws: A ``ListError`` if the list doesn't have the page.
    private func noteUnmodified(
        _ call: ListCall<Value>,
        since revision: CacheRevision,
        in cache: FlatCache
    ) throws -> Bool {
        let now = cache.history.object.clock.elapsed()
        let error = ListError.unmodified(name)
        let result: Result<Bool, ListError> = cache.transaction(from: .server) {
            var (state, contents) = stored(in: cache)
            guard state.isCurrent(call, in: contents), !isCleared(since: revision.number, in: cache) else {
                end([call])
                return .success(false)
            }
            guard call.request.place == .first, state.beginsWithFirstPage else {
                end([call], error)
                return .failure(error)
            }
            state.note(call, in: &contents, at: now)
            cache.set(contents)
            cache.set(state)
            return .success(true)
        }
        return try result.get()
    }

    /// Stores a page and joins it to the list, in one commit.
    ///
    /// - Returns: Whether it has joined the list. It doesn't if the list was replaced or removed since the call began, if another
    ///   page has joined at the place, if nobody waits for it any more, or if it isn't known which entities were removed.
    /// - Throws: A ``PayloadProblem`` if the root of the page can't be decoded. Then nothing is stored.
    private func join(
        _ work: LoadedWork<Value>,
        _ condition: WriteCondition,
        _ call: ListCall<Value>,
        _ loader: ListLoader<Value>,
        in cache: FlatCache
    ) throws -> Bool {
        let request = call.request
        let now = cache.history.object.clock.elapsed()
        var unlisted: [PayloadProblem] = []
        let isJoined = try cache.transactionUnlessUndone {
            let (known, contents) = stored(in: cache)
            guard known.isCurrent(call, in: contents), !isCleared(since: condition.since, in: cache) else {
                return false
            }
            var state = known
            // Another first page can have left it out since the request, which is no removal.
            let isReplaced = contents.generation != request.generation
            let stored = try work.store(cache, condition)
            let sent = KeySet(stored.ids)
            unlisted = stored.problems.filter { problem in
                guard let id = problem.key?.id(as: Value.self) else { return false }
                return sent.contains(id) && !cache.contains(Value.self, id: id)
            }
            let missing = KeySet(unlisted.compactMap { $0.key?.id(as: Value.self) })
            // What can't be stored isn't listed. What was removed since the request isn't stored or listed again.
            let ids = try sent.keys.filter { id in
                if missing.contains(id) { return false }
                if contents.contains(id) { return true }
                if known.hasRemoved(id, since: call.number) || !isReplaced && request.contents.contains(id) {
                    return false
                }
                if isStored(id, if: condition, in: cache) { return true }
                if mayBeNew(id, since: condition.since, in: cache) { throw UndonePage() }
                return false
            }
            let page = LoadedPage(
                ids: ids,
                previous: ListCursor(stored.previous, at: sent.keys.first),
                next: ListCursor(stored.next, at: sent.keys.last)
            )
            changeInTransaction(of: cache, isAlwaysSet: true) { contents in
                let removed = state.join(page, of: request, by: call.number, to: &contents)
                state.note(call, in: &contents, at: now)
                state.problems = stored.problems
                state.noteRemovals(removed, asOf: call.number)
                state.notePlacements(ids, asOf: call.number)
            }
            cache.set(state)
            if loader.source?.cursorType != request.source.cursorType { forgetCursors(in: cache) }
            return true
        }
        if isJoined { noteProtection(in: cache) }
        if isJoined, let first = unlisted.first { sayUnlisted(unlisted.count, first) }
        return isJoined
    }

    /// Says once, in debug builds, that the list leaves entities of a page out, because nothing else shows it.
    private func sayUnlisted(_ count: Int, _ first: PayloadProblem) {
        #if DEBUG
        DeveloperNotes.sayOnce("unlisted \(Value.self) of \(name)") {
            "the list '\(name)' leaves out \(Summary.count(count, "entity", "entities")) of a page; see its 'problems': \(first)"
        }
        #endif
    }

    /// Whether all entities of the type were removed since a revision.
    private func isCleared(since revision: UInt64, in cache: FlatCache) -> Bool {
        cache.registry.table(of: Value.self).takeUnretainedValue().isCleared(since: revision)
    }

    /// Whether an entity of a page is stored after the transaction of the calling thread.
    private func isStored(_ id: Value.ID, if condition: WriteCondition, in cache: FlatCache) -> Bool {
        let table = cache.registry.table(of: Value.self).takeUnretainedValue()
        return cache.history.transactionOfThread?.table(table).mayHave(id, HashedID(id), if: condition) == true
    }

    /// Whether it isn't known if an entity, which isn't stored, was removed since a revision or wasn't stored before.
    private func mayBeNew(_ id: Value.ID, since revision: UInt64, in cache: FlatCache) -> Bool {
        let table = cache.registry.table(of: Value.self).takeUnretainedValue()
        let hash = HashedID(id)
        return table.withSlot(for: id, hash) { table.shards[hash].hasForgotten($0, since: revision) }
    }

    /// Forgets the cursors, in a transaction.
    func forgetCursors(in cache: FlatCache) {
        changeLoading { $0.forgetPages() }
        guard var contents = cache.get(ListContents<Value>.self, id: name), !contents.gaps.isEmpty else { return }
        contents.forgetCursors()
        cache.set(contents)
    }

    /// Ends all calls without effect.
    ///
    /// - Parameters:
    ///   - number: The number of the last loader that is removed, too, or `nil` for none.
    ///   - cache: The cache.
    func endCalls(removingLoaderUpTo number: UInt64? = nil, in cache: FlatCache) {
        let ended = cache.listLoaders.dropCalls(of: self, removingLoaderUpTo: number)
        if !ended.isEmpty { end(ended) }
    }

    /// Notes that calls have ended.
    func end(_ calls: [ListCall<Value>], _ error: (any Error)? = nil) {
        changeLoading(isNew: false) { state in
            state.calls.subtract(calls.map { $0.number })
            if let error { state.error = error }
        }
    }

    /// Changes what is known of the pages.
    ///
    /// - Parameter isNew: Whether it is stored if it wasn't. A list that is removed while it is loaded has none.
    func changeLoading(isNew: Bool = true, _ body: (inout ListLoading<Value>) -> Void) {
        guard let cache else { return }
        cache.commitTogether {
            let stored = cache.get(ListLoading<Value>.self, id: name)
            guard var state = stored ?? (isNew ? ListLoading(id: name) : nil) else { return }
            body(&state)
            cache.set(state)
        }
    }
}

/// The reason why a page that is being stored doesn't join its list.
private struct UndonePage: Error {}

extension FlatCache {
    /// Runs a transaction of a page.
    ///
    /// - Returns: The result of the body, or `false` if it throws ``UndonePage``.
    fileprivate func transactionUnlessUndone(_ body: () throws -> Bool) throws -> Bool {
        do { return try transaction(from: .server, body) } catch is UndonePage { return false }
    }
}
