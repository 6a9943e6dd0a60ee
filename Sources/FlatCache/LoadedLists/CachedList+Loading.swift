/// The first page of a list, and what is known of the last call.
extension CachedList {
    /// Loads the first page, if the policy says so.
    ///
    ///     try await home.load()                                   // if nothing is stored, or it is stale
    ///     try await home.load(.cacheAndNetwork)                   // shows what is stored, and loads in the background
    ///
    /// A list is stored if it was loaded or written. It is stale if its first page is older than the `maxAge` of the
    /// policy, or of the loader if the policy has none, was invalidated, or if all entities of the type were removed since. If the ``age`` isn't known, a list with a
    /// `maxAge` is stale. The policies mean the same as for ``FlatCache/fetch(_:id:_:isolation:)``:
    ///
    /// - `cacheFirst` loads the page if the list isn't stored or is stale.
    /// - `networkOnly` always loads it.
    /// - `cacheAndNetwork` loads it in the background if the list is stored, and waits for it otherwise.
    /// - `cacheOnly` never loads it, and throws ``ListError/notLoaded(_:)`` if the list isn't stored.
    ///
    /// Writes to entities of the page that are made while it is loaded are kept. With
    /// ``FetchPolicy/replacingNewerWrites()``, the page replaces them, for all who join the call. What the app changes
    /// in the list itself meanwhile is kept with any policy, as with ``refresh(_:)``.
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
            let age = policy.maxAge ?? cache.listLoaders.knownLoader(of: self)?.source?.maxAge
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
    /// All who refresh the list at the same time join one call, with the `joining` of the first. After ``invalidate()``, a new
    /// call is made, and those who wait for the older one wait for that. Calls of ``loadMore(after:)`` and
    /// ``loadPrevious(before:)`` that have not ended have no effect, because their pages may not fit any more.
    ///
    /// What the app adds to the list while the page is loaded stays, and what it removes isn't listed again. If the app replaces
    /// all identifiers meanwhile, those are kept. If it removes or replaces all entities of the type, the page doesn't join.
    ///
    /// - Parameter joining: How the page joins what is listed.
    /// - Returns: Whether the page has joined the list, or the list is as the server has it.
    /// - Throws: A ``ListError``, the error of the loader, or a `CancellationError` if the task is cancelled. The call is
    ///   cancelled if nobody else waits for it. Its page doesn't join the list then, unless it is joining already.
    /// - Complexity: O(1) on average for the request, which doesn't copy the list. O(*n* + *m*) on average when the page of *n*
    ///   entities joins a list of *m*. With `insertAbove` and *g* gaps, O(*n* + *m* · (*g* + 1)).
    @discardableResult
    public func refresh(_ joining: ListJoining = .replace) async throws -> Bool { try await run(.first, joining) }

    /// Loads the page around an entity, which replaces the list.
    ///
    ///     try await chat.refresh(around: message.id)
    ///     try await chat.loadPrevious()
    ///     try await chat.loadMore()
    ///
    /// It takes the place of the first page: calls that have not ended have no effect, what the app adds meanwhile stays, and
    /// ``age`` is counted from it. All who ask for the page around the same entity at the same time join one call. A later
    /// ``refresh(_:)`` with `insertAbove` brings the first page, with a gap between the two.
    ///
    /// - Parameter id: The identifier of the entity, which the loader receives. The page need not have it.
    /// - Returns: Whether the page has joined the list. It is `false` if another refresh has begun meanwhile.
    /// - Throws: ``ListError/cursorsOnly(_:)`` if the loader doesn't take a ``ListPageRequest``, another ``ListError``, the
    ///   error of the loader, or a `CancellationError` if the task is cancelled.
    /// - Complexity: That of ``refresh(_:)``.
    @discardableResult
    public func refresh(around id: Value.ID) async throws -> Bool { try await run(.first, around: id) }

    /// Marks the first page as stale, so that ``load(_:_:)`` with the policy `cacheFirst` loads it.
    ///
    /// The mark remains until a first page joins that is asked for later. No request that is made later joins a call that began
    /// before. A store keeps the mark with the identifiers of the list.
    public func invalidate() {
        guard let cache else { return }
        cache.commitTogether {
            let contents = cache.get(ListContents<Value>.self, id: name)
            // A list of which nothing is known is loaded anyway.
            changeLoading(isNew: contents != nil) { $0.invalidate() }
            guard var contents, !contents.isStale else { return }
            contents.isStale = true
            cache.set(contents)
        }
    }

    /// Whether a page is being loaded.
    public var isLoading: Bool { loading?.calls.isEmpty == false }

    /// The time since the first page was loaded, or `nil` if it isn't known.
    ///
    ///     if let age = home.age, age > .seconds(300) { Text("Not updated for \(age.formatted())") }
    ///
    /// It is known from the first page on, until the app restarts, replaces all identifiers, or removes or replaces all entities
    /// of the type. A body or view that reads it is notified of that, not as time passes.
    public var age: Duration? {
        guard let cache, let (state, _) = knownPages else { return nil }
        return age(state, in: cache)
    }

    /// The error of the last call of the loader, or `nil` if it succeeded.
    public var error: (any Error)? { loading?.error }

    /// What the last page has that could not be read or stored.
    ///
    ///     for problem in home.problems { logger.warning("\(problem)") }
    ///     // posts[3]: Post isn't stored, and the payload leaves out title
    ///
    /// An entity that can't be stored isn't listed. The others of its page are. A debug build says once that the list leaves some out.
    public var problems: [PayloadProblem] { loading?.problems ?? [] }

    /// The calls and their error, which a body or view observes from now on.
    private var loading: ListLoading<Value>? { cache?.tracked { $0.get(ListLoading<Value>.self, id: name) } }

    /// What is known of the pages, which a body or view observes from now on.
    var knownPages: (state: ListLoading<Value>, contents: ListContents<Value>)? {
        cache?.tracked { cache in cache.readTogether { stored(in: cache) } }
    }

    /// What is known of the pages, and the identifiers.
    func stored(in cache: FlatCache) -> (state: ListLoading<Value>, contents: ListContents<Value>) {
        let contents = cache.get(ListContents<Value>.self, id: name) ?? ListContents(name: name)
        let state = cache.get(ListLoading<Value>.self, id: name) ?? ListLoading(id: name)
        return (state.current(for: contents), contents)
    }
}
