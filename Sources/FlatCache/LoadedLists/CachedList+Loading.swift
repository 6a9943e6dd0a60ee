extension CachedList {
    /// Sets the closure that loads pages of the list.
    ///
    ///     let home = cache.list("home", of: Post.self)
    ///     home.setLoader { (cursor: String?) in
    ///         let response = try await api.posts(after: cursor)
    ///         return ListPage(response.posts, next: response.nextCursor)
    ///     }
    ///     try await home.refresh()
    ///     try await home.loadMore()
    ///
    /// All references to the list use the loader, until another one is set or the list is removed. What is known of the pages
    /// remains if the type of the cursors is the same. A cursor isn't stored: after a restart, and after the app has replaced
    /// all identifiers, `cursorAfter` makes it, or ``loadMore(after:)`` begins with the first page.
    ///
    /// - Parameters:
    ///   - maxAge: The age at which the first page becomes stale for ``load(_:_:)``, or `nil` for never.
    ///   - cursorAfter: Returns the cursor of the page that follows an entity, if the server's cursors are identifiers. Without
    ///     it, cursors are known only from pages.
    ///   - load: A closure that loads the page with a cursor, or the first one if the cursor is `nil`. In it, the cache of the list
    ///     is ``FlatCache/current``.
    public func setLoader<Cursor: Sendable>(
        maxAge: Duration? = nil,
        cursorAfter: (@Sendable (Value.ID) -> Cursor)? = nil,
        _ load: @escaping @Sendable (_ cursor: Cursor?) async throws -> ListPage<Value, Cursor>
    ) {
        guard let cache else { return }
        let work: ListLoader<Value>.Work = { cursor in
            let page = try await load(cursor as? Cursor)
            return LoadedWork(content: page.content, store: page.store, next: page.next)
        }
        var cursorOfID: (@Sendable (Value.ID) -> any Sendable)?
        if let cursorAfter { cursorOfID = { cursorAfter($0) } }
        let source = ListLoader<Value>.Source(
            cursorType: ObjectIdentifier(Cursor.self),
            maxAge: maxAge,
            cursorAfter: cursorOfID,
            work: work
        )
        let old = cache.listLoaders.loader(of: self).set(source)
        if let old, old.cursorType != source.cursorType { changeLoading { $0.forgetPages() } }
        withExtendedLifetime(old) {}
    }

    /// Loads the first page, if the policy says so.
    ///
    ///     try await home.load()                                   // if nothing is stored, or it is stale
    ///     try await home.load(.cacheAndNetwork)                   // shows what is stored, and loads in the background
    ///
    /// The policies mean the same as for ``FlatCache/fetch(_:id:_:isolation:)``: a list is stored if it was loaded or written, and
    /// stale if its first page is older than the age or was invalidated. The age of a list is unknown after a restart.
    ///
    /// - Parameters:
    ///   - policy: The choice whether the loader is called.
    ///   - joining: How the page joins what is listed.
    /// - Throws: A ``ListError``, the error of the loader, or a `CancellationError` if the task is cancelled.
    public func load(_ policy: FetchPolicy = .cacheFirst, _ joining: ListJoining = .replace) async throws {
        guard let cache else { throw ListError.cacheGone(name) }
        let (state, contents) = cache.readTogether { stored(in: cache) }
        let isStored = !contents.order.isEmpty || state.loadedAt != nil
        switch policy.source {
        case .cacheOnly: if !isStored { throw ListError.notLoaded(name) }
        case .cacheFirst:
            let age = policy.maxAge ?? cache.listLoaders.loader(of: self).source?.maxAge
            if !isStored || isStale(state, age, in: cache) { try await refresh(joining) }
        case .networkOnly: try await refresh(joining)
        case .cacheAndNetwork:
            if !isStored {
                try await refresh(joining)
            } else {
                let (loader, call, isNew) = try begin(.first, joining)
                if isNew { call.start { await perform(call, loader, cache) } }
            }
        }
    }

    private func isStale(_ state: ListLoading<Value>, _ maxAge: Duration?, in cache: FlatCache) -> Bool {
        if state.isInvalidated { return true }
        guard let maxAge else { return false }
        guard let loadedAt = state.loadedAt else { return true }
        return cache.history.object.clock.elapsed() - loadedAt >= maxAge
    }

    /// Loads the first page.
    ///
    /// All who refresh the list at the same time join one call, with the `joining` of the first. Calls of ``loadMore(after:)``
    /// that have not ended have no effect, because their pages may not fit any more.
    ///
    /// What the app adds to the list while the page is loaded stays, and what it removes isn't listed again. If the app replaces
    /// all identifiers meanwhile, those are kept.
    ///
    /// - Parameter joining: How the page joins what is listed.
    /// - Returns: Whether the page has joined the list.
    /// - Throws: A ``ListError``, the error of the loader, or a `CancellationError` if the task is cancelled. The call is
    ///   cancelled if nobody else waits for it. The list is unchanged then.
    @discardableResult
    public func refresh(_ joining: ListJoining = .replace) async throws -> Bool { try await run(.first, joining) }

    /// Loads the page that follows the last entity, or fills a gap.
    ///
    /// If the cursor isn't known, because nothing was loaded or the app has replaced all identifiers, it is made by the closure
    /// `cursorAfter` of the loader. Without this closure, the first page is loaded and replaces the list.
    ///
    /// - Parameter gap: One of the ``gaps``, or `nil` for the end of the list.
    /// - Returns: Whether a page has joined the list. It is `false` without a call of the loader if there is no more, or there is
    ///   no gap after the entity, and if a refresh has begun meanwhile.
    /// - Throws: A ``ListError``, the error of the loader, or a `CancellationError` if the task is cancelled. The call is
    ///   cancelled if nobody else waits for it. The list is unchanged then.
    @discardableResult
    public func loadMore(after gap: Value.ID? = nil) async throws -> Bool {
        guard let gap else { return try await run(.end, .replace) }
        guard let number = knownPages?.state.gaps.first(where: { $0.id == gap })?.number else { return false }
        return try await run(.gap(number), .replace)
    }

    /// Marks the first page as stale, so that ``load(_:_:)`` with the policy `cacheFirst` loads it.
    public func invalidate() { changeLoading { $0.invalidate() } }

    /// Whether a page is being loaded.
    public var isLoading: Bool { loading?.calls.isEmpty == false }

    /// Whether a page may follow the last entity, which is `true` if it isn't known.
    public var hasMore: Bool {
        if case .nothing = knownPages?.state.end ?? .unknown { false } else { true }
    }

    /// The error of the last call of the loader, or `nil` if it succeeded.
    public var error: (any Error)? { loading?.error }

    /// The identifiers of listed entities after which others may be missing, in order.
    ///
    /// A refresh that inserts above leaves a gap. ``loadMore(after:)`` fills it, a page at a time.
    public var gaps: [Value.ID] {
        guard let (state, contents) = knownPages else { return [] }
        return state.gaps.map { $0.id }.filter(contents.contains)
    }

    /// The calls and their error, which a body or view observes from now on.
    private var loading: ListLoading<Value>? { cache?.tracked { $0.get(ListLoading<Value>.self, id: name) } }

    /// What is known of the pages, which a body or view observes from now on.
    private var knownPages: (state: ListLoading<Value>, contents: ListContents<Value>)? {
        cache?.tracked { cache in cache.readTogether { stored(in: cache) } }
    }

    /// What is known of the pages, and the identifiers.
    private func stored(in cache: FlatCache) -> (state: ListLoading<Value>, contents: ListContents<Value>) {
        let contents = cache.get(ListContents<Value>.self, id: name) ?? ListContents(name: name)
        let state = cache.get(ListLoading<Value>.self, id: name) ?? ListLoading(id: name)
        return (state.current(for: contents), contents)
    }
}

extension CachedList {
    /// Joins the call for a place, or begins one, and waits for it.
    private func run(_ place: ListPlace, _ joining: ListJoining) async throws -> Bool {
        guard let cache else { throw ListError.cacheGone(name) }
        guard let place = known(place, in: cache) else { return false }
        let (loader, call, isNew) = try begin(place, joining)
        defer {
            if loader.leave(call) { end([call]) }
        }
        if isNew { call.start { await perform(call, loader, cache) } }
        return try await call.wait()
    }

    /// The place to load, or `nil` if there is nothing to load.
    private func known(_ place: ListPlace, in cache: FlatCache) -> ListPlace? {
        guard place == .end else { return place }
        let (state, contents) = cache.confirmed { stored(in: cache) }
        switch state.end {
        case .more: return place
        case .nothing: return nil
        case .unknown:
            let cursorAfter = cache.listLoaders.loader(of: self).source?.cursorAfter
            return cursorAfter == nil || contents.order.isEmpty ? .first : place
        }
    }

    private func begin(
        _ place: ListPlace,
        _ joining: ListJoining
    ) throws -> (ListLoader<Value>, ListCall<Value>, isNew: Bool) {
        guard let cache else { throw ListError.cacheGone(name) }
        let loader = cache.listLoaders.loader(of: self)
        guard let source = loader.source else { throw ListError.noLoader(name) }
        // Without the layers of mutations, whose identifiers the server may not know.
        let (state, contents) = cache.confirmed { stored(in: cache) }
        let cursor: (any Sendable)? =
            switch place {
            case .first: nil
            case .end:
                if case .more(let next) = state.end {
                    next
                } else {
                    contents.order.last.flatMap { source.cursorAfter?($0) }
                }
            case .gap(let number): state.gaps.first { $0.number == number }?.next
            }
        let request = ListRequest(
            list: self,
            place: place,
            joining: joining,
            source: source,
            cursor: cursor,
            contents: contents,
            endNumber: state.endNumber,
            invalidations: state.invalidations.all
        )
        let (call, isNew, ended) = loader.join(request)
        if isNew {
            changeLoading { state in
                state.calls.subtract(ended.map { $0.number })
                state.calls.insert(call.number)
            }
        }
        return (loader, call, isNew)
    }

    /// Calls the loader, and joins the page to the list.
    private func perform(_ call: ListCall<Value>, _ loader: ListLoader<Value>, _ cache: FlatCache) async {
        let result: Result<Bool, any Error>
        do {
            let revision = cache.revision()
            let request = call.request
            let work = try await FlatCache.withCurrent(cache) { try await request.source.work(request.cursor) }
            let isJoined = await cache.withLoaded(work.content, if: .response(since: revision), isolation: nil) {
                loader.end(call) && join(work, revision, call, loader, in: cache)
            }
            if !isJoined { end([call]) }
            result = .success(isJoined)
        } catch {
            let isCurrent = loader.end(call)
            end([call], isCurrent ? error : nil)
            result = isCurrent ? .failure(error) : .success(false)
        }
        call.finish(result)
    }

    /// Stores a page and joins it to the list, in one commit.
    ///
    /// - Returns: Whether it has joined the list. It doesn't if the list was replaced since the call began, or another page has
    ///   joined at the place.
    private func join(
        _ work: LoadedWork<Value>,
        _ revision: CacheRevision,
        _ call: ListCall<Value>,
        _ loader: ListLoader<Value>,
        in cache: FlatCache
    ) -> Bool {
        let request = call.request
        let now = cache.history.object.clock.elapsed()
        let isJoined = cache.transaction(from: .server) {
            let (known, contents) = stored(in: cache)
            guard contents.generation == request.generation,
                known.hasPlace(request.place, endNumber: request.endNumber, in: contents)
            else { return false }
            var state = known
            // What was removed since the request isn't stored or listed again.
            let ids = work.store(cache, revision).filter { id in
                isStored(id, since: revision, in: cache) && (contents.contains(id) || !request.contents.contains(id))
            }
            let page = LoadedPage(ids, next: work.next)
            changeInTransaction(of: cache) { contents in
                switch request.place {
                case .first:
                    let added = contents.order.filter { !request.contents.contains($0) }
                    state.join(page, request.joining, to: &contents, keeping: added)
                    state.noteFirstPage(at: now, after: request.invalidations)
                case .end: state.append(page, to: &contents)
                case .gap(let number): state.fill(number, with: page, in: &contents)
                }
                if contents.generation == 0 { contents.generation = ListContents<Value>.nextGeneration() }
            }
            state.note(call.number, in: stored(in: cache).contents)
            if loader.source?.cursorType != request.source.cursorType { state.forgetPages() }
            cache.set(state)
            return true
        }
        if isJoined { noteProtection(in: cache) }
        return isJoined
    }

    /// Whether an entity of a page is stored after the transaction of the calling thread.
    private func isStored(_ id: Value.ID, since revision: CacheRevision, in cache: FlatCache) -> Bool {
        let table = cache.registry.table(of: Value.self).takeUnretainedValue()
        let hash = HashedID(id)
        let changes = cache.history.transactionOfThread?.table(table)
        return changes?.mayWrite(id, hash, if: .response(since: revision)) == true || table.value(of: id, hash) != nil
    }

    /// Notes that calls have ended.
    private func end(_ calls: [ListCall<Value>], _ error: (any Error)? = nil) {
        changeLoading(isNew: false) { state in
            state.calls.subtract(calls.map { $0.number })
            if let error { state.error = error }
        }
    }

    /// Changes what is known of the pages.
    ///
    /// - Parameter isNew: Whether it is stored if it wasn't. A list that is removed while it is loaded has none.
    private func changeLoading(isNew: Bool = true, _ body: (inout ListLoading<Value>) -> Void) {
        guard let cache else { return }
        cache.commitTogether {
            let stored = cache.get(ListLoading<Value>.self, id: name)
            guard var state = stored ?? (isNew ? ListLoading(id: name) : nil) else { return }
            body(&state)
            cache.set(state)
        }
    }
}
