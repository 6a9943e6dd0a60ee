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
    /// All references to the list use the loader, until another one is set or the list is removed. Known cursors remain if their
    /// type is the same. A cursor isn't stored: after a restart, and after the app has replaced all identifiers, `cursorAfter`
    /// makes it, or ``loadMore(after:)`` begins with the first page.
    ///
    /// Calls of the previous loader go on. The next request for the place of one of them ends it and calls the new loader. Those
    /// who wait for the ended call receive `false`.
    ///
    /// A loader isn't part of a transaction. It is set at once, and remains if the transaction throws.
    ///
    /// - Parameters:
    ///   - maxAge: The age at which the first page becomes stale for ``load(_:_:)``, or `nil` for never. An age in the policy takes
    ///     its place. The age is the time since the first page joined the list; later pages don't change it. If the age isn't
    ///     known, because the list was only written or was restored from a store, the list is stale unless this is `nil`.
    ///   - cursorAfter: Returns the cursor of the page that follows an entity, if the server's cursors are identifiers. Without
    ///     it, cursors are known only from pages. It receives the last entity that a page has brought. If the app has added all
    ///     entities itself, it receives the last of them.
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
        // From now on, a removal of all entities looks for calls.
        _ = cache.registry.table(of: ListLoading<Value>.self)
        let old = cache.listLoaders.loader(of: self).set(source)
        if let old, old.cursorType != source.cursorType { cache.commitTogether { forgetCursors(in: cache) } }
        withExtendedLifetime(old) {}
    }

    /// Loads the first page, if the policy says so.
    ///
    ///     try await home.load()                                   // if nothing is stored, or it is stale
    ///     try await home.load(.cacheAndNetwork)                   // shows what is stored, and loads in the background
    ///
    /// The policies mean the same as for ``FlatCache/fetch(_:id:_:isolation:)``: a list is stored if it was loaded or written, and
    /// stale if its first page is older than the age or was invalidated. See also ``age``.
    ///
    /// With ``FetchPolicy/replacingNewerWrites()``, the entities of the page replace writes that are made while it is loaded.
    /// What the app changes in the list itself meanwhile is kept, as with ``refresh(_:)``.
    ///
    /// - Parameters:
    ///   - policy: The choice whether the loader is called.
    ///   - joining: How the page joins what is listed.
    /// - Throws: A ``ListError``, the error of the loader, or a `CancellationError` if the task is cancelled.
    /// - Complexity: O(1) on average without a call of the loader. With one, that of ``refresh(_:)``.
    public func load(_ policy: FetchPolicy = .cacheFirst, _ joining: ListJoining = .replace) async throws {
        guard let cache else { throw ListError.cacheGone(name) }
        // What only a pending mutation shows isn't stored.
        let (state, contents) = cache.confirmed { stored(in: cache) }
        let isStored = !contents.order.isEmpty || state.loadedAt != nil
        switch policy.source {
        case .cacheOnly: if !isStored { throw ListError.notLoaded(name) }
        case .cacheFirst:
            let age = policy.maxAge ?? cache.listLoaders.loader(of: self).source?.maxAge
            if !isStored || contents.isStale || isStale(state, age, in: cache) {
                _ = try await run(.first, joining, policy)
            }
        case .cacheAndNetwork where isStored:
            guard let (loader, call, isNew) = try begin(.first, joining, policy) else { return }
            if isNew { call.start { await perform(call, loader, cache) } }
        case .networkOnly, .cacheAndNetwork: _ = try await run(.first, joining, policy)
        }
    }

    private func isStale(_ state: ListLoading<Value>, _ maxAge: Duration?, in cache: FlatCache) -> Bool {
        if state.isInvalidated { return true }
        guard let maxAge else { return false }
        guard let age = age(state, in: cache) else { return true }
        return age >= maxAge
    }

    private func age(_ state: ListLoading<Value>, in cache: FlatCache) -> Duration? {
        state.loadedAt.map { cache.history.object.clock.elapsed() - $0 }
    }

    /// Loads the first page.
    ///
    /// All who refresh the list at the same time join one call, with the `joining` of the first. Calls of ``loadMore(after:)``
    /// that have not ended have no effect, because their pages may not fit any more.
    ///
    /// What the app adds to the list while the page is loaded stays, and what it removes isn't listed again. If the app replaces
    /// all identifiers meanwhile, those are kept. If it removes or replaces all entities of the type, the page doesn't join.
    ///
    /// - Parameter joining: How the page joins what is listed.
    /// - Returns: Whether the page has joined the list.
    /// - Throws: A ``ListError``, the error of the loader, or a `CancellationError` if the task is cancelled. The call is
    ///   cancelled if nobody else waits for it. Its page doesn't join the list then, unless it is joining already.
    /// - Complexity: O(1) on average for the request, which doesn't copy the list. O(*n* + *m*) on average when the page of *n*
    ///   entities joins a list of *m*. With `insertAbove` and *g* gaps, O(*n* + *m* · (*g* + 1)).
    @discardableResult
    public func refresh(_ joining: ListJoining = .replace) async throws -> Bool { try await run(.first, joining) }

    /// Loads the page that follows the last entity, or fills a gap.
    ///
    /// If an entity of the page at the end is listed already, it moves there. If the page fills a gap, entities that are listed
    /// above the gap keep their places, and those below it move into the gap.
    ///
    /// If the cursor isn't known, because nothing was loaded, the app was restarted or has replaced all identifiers, it is made by
    /// the closure `cursorAfter` of the loader. Without this closure, the first page is loaded and replaces the list.
    ///
    /// - Parameter gap: One of the ``gaps``, or `nil` for the end of the list. If the app has removed all entities before a gap,
    ///   `nil` fills this gap first.
    /// - Returns: Whether a page has joined the list. It is `false` without a call of the loader if there is no more, or there is
    ///   no gap after the entity, and if a refresh has begun meanwhile.
    /// - Throws: A ``ListError``, the error of the loader, or a `CancellationError` if the task is cancelled. The call is
    ///   cancelled if nobody else waits for it. Its page doesn't join the list then, unless it is joining already.
    /// - Complexity: O(*g*) on average for the request, with *g* gaps. It is O(*m*) more if the cursor is made and the app has added
    ///   the entity before it. O(*n* + log *m*) on average when the page of *n* entities
    ///   joins the end of a list of *m*, or O(*n* + *m* · (*g* + 1)) if it has listed entities. A page in a gap needs
    ///   O(*n* + *m* · (*g* + 1)) on average.
    @discardableResult
    public func loadMore(after gap: Value.ID? = nil) async throws -> Bool {
        if let number = knownPages?.contents.gaps.first(where: { $0.id == gap })?.number {
            return try await run(.gap(number))
        }
        return gap == nil ? try await run(.end) : false
    }

    /// Marks the first page as stale, so that ``load(_:_:)`` with the policy `cacheFirst` loads it.
    ///
    /// The mark remains until a first page joins that is asked for later. A store keeps it with the identifiers of the list.
    public func invalidate() {
        guard let cache else { return }
        cache.commitTogether {
            changeLoading { $0.invalidate() }
            guard var contents = cache.get(ListContents<Value>.self, id: name), !contents.isStale else { return }
            contents.isStale = true
            cache.set(contents)
        }
    }

    /// Whether a page is being loaded.
    public var isLoading: Bool { loading?.calls.isEmpty == false }

    /// Whether ``loadMore(after:)`` without a gap may load a page, which is `true` if it isn't known.
    public var hasMore: Bool {
        guard let (state, contents) = knownPages, case .nothing = state.end else { return true }
        return contents.gaps.contains { $0.id == nil }
    }

    /// The time since the first page was loaded, or `nil` if it isn't known.
    ///
    ///     if let age = home.age, age > .seconds(300) { Text("Not updated for \(age.formatted())") }
    ///
    /// It is known from the first page on, until the app restarts or replaces all identifiers. A body or view that reads it is
    /// notified when the first page is loaded, not as time passes.
    public var age: Duration? {
        guard let cache, let (state, _) = knownPages else { return nil }
        return age(state, in: cache)
    }

    /// The error of the last call of the loader, or `nil` if it succeeded.
    public var error: (any Error)? { loading?.error }

    /// The identifiers of listed entities after which others may be missing, in order.
    ///
    /// A refresh that inserts above leaves a gap. ``loadMore(after:)`` fills it, a page at a time. The entities above it keep their
    /// places.
    ///
    /// If the entity before a gap leaves the list, the gap is after the previous one. If there is none, the gap isn't one of these,
    /// and `loadMore()` fills it. A store keeps the places of gaps.
    public var gaps: [Value.ID] { knownPages?.contents.gaps.compactMap { $0.id } ?? [] }

    /// The calls and their error, which a body or view observes from now on.
    private var loading: ListLoading<Value>? { cache?.tracked { $0.get(ListLoading<Value>.self, id: name) } }

    /// What is known of the pages, which a body or view observes from now on.
    private var knownPages: (state: ListLoading<Value>, contents: ListContents<Value>)? {
        cache?.tracked { cache in cache.readTogether { stored(in: cache) } }
    }

    /// What is known of the pages, and the identifiers.
    func stored(in cache: FlatCache) -> (state: ListLoading<Value>, contents: ListContents<Value>) {
        let contents = cache.get(ListContents<Value>.self, id: name) ?? ListContents(name: name)
        let state = cache.get(ListLoading<Value>.self, id: name) ?? ListLoading(id: name)
        return (state.current(for: contents), contents)
    }
}
