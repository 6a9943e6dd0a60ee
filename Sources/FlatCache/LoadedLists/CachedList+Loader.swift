/// The loader of a list.
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
    /// Pages can be loaded in both directions if they have `previous` cursors and the type of the cursors says the direction. Or
    /// set a loader that takes a ``ListPageRequest``.
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
    /// A loader remains when the cache is emptied. It keeps what it captures until another one is set or the list is
    /// removed, so it must not capture the cache. A loader with another type of cursors forgets the known cursors and
    /// the age.
    ///
    /// - Parameters:
    ///   - maxAge: The age at which the first page becomes stale for ``load(_:_:)``, or `nil` for never. An age in the policy takes
    ///     its place. The age is the time since the first page joined the list; later pages don't change it. If the age isn't
    ///     known, because the list was only written or was restored from a store, the list is stale unless this is `nil`.
    ///   - cursorAfter: Returns the cursor of the page that follows an entity, if the server's cursors are identifiers. Without
    ///     it, cursors are known only from pages. It receives the last entity that a page has brought. If the app has added all
    ///     entities itself, it receives the last of them.
    ///   - cursorBefore: Returns the cursor of the page that precedes an entity, the other way round.
    ///   - load: A closure that loads the page with a cursor, or the first one if the cursor is `nil`. In it, the cache of the list
    ///     is ``FlatCache/current``. If the server has the same first page, it can throw ``FlatCache/FlatCache/NotModified``.
    public func setLoader<Cursor: Sendable>(
        maxAge: Duration? = nil,
        cursorAfter: (@Sendable (Value.ID) -> Cursor)? = nil,
        cursorBefore: (@Sendable (Value.ID) -> Cursor)? = nil,
        _ load: @escaping @Sendable (_ cursor: Cursor?) async throws -> ListPage<Value, Cursor>
    ) {
        set(maxAge, cursorAfter, cursorBefore, takesCursorsOnly: true) { request in
            LoadedWork(try await load(request.cursor as? Cursor))
        }
    }

    /// Sets the closure that loads pages of the list in both directions, and around an entity.
    ///
    ///     chat.setLoader(cursorAfter: { $0 }, cursorBefore: { $0 }) { (request: ListPageRequest<Message, Message.ID>) in
    ///         let page = switch request {
    ///         case .first: try await api.messages()
    ///         case .after(let id): try await api.messages(after: id)
    ///         case .before(let id): try await api.messages(before: id)
    ///         case .around(let id): try await api.messages(around: id)
    ///         }
    ///         return ListPage(page.messages, next: page.next, previous: page.previous)
    ///     }
    ///     try await chat.refresh(around: unread)
    ///     try await chat.loadPrevious()
    ///
    /// In all else, it is the loader that
    /// ``setLoader(maxAge:cursorAfter:cursorBefore:_:)-(_,_,_,(Cursor?)->ListPage<Value,Cursor>)`` sets: one for all references
    /// to the list, which isn't part of a transaction, must not capture the cache, and whose cursors aren't stored.
    ///
    /// - Parameters:
    ///   - maxAge: The age at which the first page becomes stale for ``load(_:_:)``, or `nil` for never. An age in the policy takes
    ///     its place. The age is the time since the first page joined the list; later pages don't change it. If the age isn't
    ///     known, because the list was only written or was restored from a store, the list is stale unless this is `nil`.
    ///   - cursorAfter: Returns the cursor of the page that follows an entity, if the server's cursors are identifiers. Without
    ///     it, cursors are known only from pages. It receives the last entity that a page has brought. If the app has added all
    ///     entities itself, it receives the last of them.
    ///   - cursorBefore: Returns the cursor of the page that precedes an entity, the other way round.
    ///   - load: A closure that loads the requested page. In it, the cache of the list is ``FlatCache/current``. If the server
    ///     has the same first page, it can throw ``FlatCache/FlatCache/NotModified``.
    @_disfavoredOverload  // A closure that ignores its argument takes a cursor.
    public func setLoader<Cursor: Sendable>(
        maxAge: Duration? = nil,
        cursorAfter: (@Sendable (Value.ID) -> Cursor)? = nil,
        cursorBefore: (@Sendable (Value.ID) -> Cursor)? = nil,
        _ load: @escaping @Sendable (_ request: ListPageRequest<Value, Cursor>) async throws -> ListPage<Value, Cursor>
    ) {
        set(maxAge, cursorAfter, cursorBefore, takesCursorsOnly: false) { request in
            LoadedWork(try await load(request.typed(Cursor.self)))
        }
    }

    private func set<Cursor: Sendable>(
        _ maxAge: Duration?,
        _ cursorAfter: (@Sendable (Value.ID) -> Cursor)?,
        _ cursorBefore: (@Sendable (Value.ID) -> Cursor)?,
        takesCursorsOnly: Bool,
        _ work: @escaping ListLoader<Value>.Work
    ) {
        guard let cache else { return }
        func erased(_ make: (@Sendable (Value.ID) -> Cursor)?) -> (@Sendable (Value.ID) -> any Sendable)? {
            guard let make else { return nil }
            return { make($0) }
        }
        let source = ListLoader<Value>.Source(
            cursorType: ObjectIdentifier(Cursor.self),
            maxAge: maxAge,
            takesCursorsOnly: takesCursorsOnly,
            cursorAfter: erased(cursorAfter),
            cursorBefore: erased(cursorBefore),
            work: work
        )
        // From now on, a removal of all entities looks for calls.
        _ = cache.registry.table(of: ListLoading<Value>.self)
        let old = cache.listLoaders.loader(of: self).set(source)
        if let old, old.cursorType != source.cursorType { cache.commitTogether { forgetCursors(in: cache) } }
        withExtendedLifetime(old) {}
    }
}
