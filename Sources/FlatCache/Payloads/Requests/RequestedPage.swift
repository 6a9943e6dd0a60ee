/// A page of a list that a request of the app asks for.
struct RequestedPage<Value: Cachable> {
    enum Place {
        case replace, append, prepend
    }

    let place: Place
    /// The contents of the list when the request began, or `nil` if there were none.
    let old: ListContents<Value>?

    /// Whether a list is still the one for which the page was asked.
    ///
    /// - Parameters:
    ///   - contents: The contents of the list, or `nil` if there are none.
    ///   - older: The generations of lists that responses to older requests have replaced since.
    func fits(_ contents: ListContents<Value>?, older: Set<UInt64>) -> Bool {
        guard let contents else { return old == nil }
        return contents.generation == old?.generation ?? 0 || older.contains(contents.generation)
    }

    /// Adds the page to a list that it fits.
    func join(_ ids: [Value.ID], to contents: inout ListContents<Value>) {
        let isReplaced = contents.generation != old?.generation ?? 0
        let ids = ids.filter { isReplaced || contents.contains($0) || old?.contains($0) != true }
        switch place {
        case .replace:
            let known = Set(ids)
            let added = contents.order.filter {
                old?.contains($0) != true && !contents.isPaged($0) && !known.contains($0)
            }
            contents.replace(with: added + ids)
            contents.paged = ListMembers()
        case .append: contents.append(ids)
        case .prepend: contents.prepend(ids)
        }
        contents.notePage(ids)
    }
}

extension CachedList {
    /// Runs a request of the app that returns a page.
    func load<Response: PayloadConvertible>(
        _ place: RequestedPage<Value>.Place,
        strict: Bool,
        ids: (Response.Root) -> [Value.ID],
        isolation: isolated (any Actor)?,
        _ request: () async throws -> Response
    ) async throws -> StoredPayload<Response.Root> {
        guard let cache else { throw ListError.cacheGone(name) }
        // From now on, the table shows a removal of all entities.
        let table = cache.registry.table(of: Value.self).takeUnretainedValue()
        return try await cache.running(isolation: isolation) { running in
            // Without the layers of mutations, which the server may not know.
            let page = RequestedPage<Value>(place: place, old: cache.confirmed { handle.current })
            let payload = try await FlatCache.withCurrent(cache, isolation: isolation, request).payload
            let condition = WriteCondition.response(since: running.since)
            return try await cache.withLoaded(payload.content, if: condition, isolation: isolation) {
                () throws(any Error) in
                try Task.checkCancellation()
                var generation: UInt64?
                let stored = try cache.store(payload.content, payload.root, strict: strict, of: running) { stored in
                    generation = nil
                    let isCleared = table.isCleared(since: running.since.number)
                    let older = cache.requests.olderNumbers(since: running)
                    guard !isCleared, let root = stored.value, page.fits(handle.current, older: older) else { return }
                    let ids = ids(root).filter { isStored($0, in: table, of: cache, if: condition) }
                    changeInTransaction(of: cache, isAlwaysSet: place == .replace) { contents in
                        page.join(ids, to: &contents)
                        if place == .replace { generation = contents.generation }
                    }
                }
                if let generation { cache.requests.note(generation, of: running) }
                noteProtection(in: cache)
                return stored
            }
        }
    }

    /// Whether an entity of a page is stored after the transaction of the calling thread.
    ///
    /// The transaction itself reads entities of the page also if the commit isn't going to store them.
    private func isStored(
        _ id: Value.ID,
        in table: Table<Value>,
        of cache: FlatCache,
        if condition: WriteCondition
    ) -> Bool {
        guard cache.contains(Value.self, id: id) else { return false }
        return cache.history.transactionOfThread?.table(table).mayHave(id, HashedID(id), if: condition) == true
    }
}
