/// The pages of a list after the first one.
extension CachedList {
    /// Loads the page that follows the last entity, or fills a gap from above.
    ///
    /// Entities of the page that pages have brought above its place keep their places, and other listed ones move to the page. Where
    /// the page joins what earlier pages have brought, it decides what is listed.
    ///
    /// The cursor that came with a page is sent while the last entity of this page is listed. After that, and if no cursor is
    /// known, because nothing was loaded, the app was restarted or has replaced all identifiers, the closure `cursorAfter` of
    /// the loader makes it of the last entity that a page has brought. Without this closure, the known cursor is sent. If there
    /// is none, the first page is loaded and replaces the list.
    ///
    /// If this begins while a refresh runs, the loader is called for the page at the end. If the page of the refresh
    /// joins first and replaces the list, this page doesn't join, and the result is `false`. If this page joins first,
    /// the refresh replaces it with the rest. With `insertAbove`, both join, unless the page of the refresh reaches the
    /// end of the list. If no cursor is known and none can be made, this waits for the page of the refresh.
    ///
    /// - Parameter gap: One of the ``gaps``, or `nil` for the end of the list. If the app has removed all entities before a gap,
    ///   `nil` fills this gap first.
    /// - Returns: Whether a page has joined the list. It is `false` without a call of the loader if there is no more, or there is
    ///   no gap after the entity, and if a refresh has begun meanwhile.
    /// - Throws: A ``ListError``, the error of the loader, or a `CancellationError` if the task is cancelled. The call is
    ///   cancelled if nobody else waits for it. Its page doesn't join the list then, unless it is joining already.
    /// - Complexity: O(*g*) on average for the request, with *g* gaps. It is O(*m*) more if the cursor is made and the app has
    ///   added the entity before it. O(*n* + log *m*) on average when the page of *n* entities joins the end of a list of *m*,
    ///   or O(*n* + *m* · (*g* + 1)) if it has listed entities. A page in a gap needs O(*n* + *m* · (*g* + 1)) on average.
    @discardableResult
    public func loadMore(after gap: Value.ID? = nil) async throws -> Bool {
        if let gap = knownPages?.contents.gaps.first(where: { $0.id == gap }) {
            return try await run(gap.place(fromBelow: gap.above.isDoubtful && !gap.below.isDoubtful))
        }
        return gap == nil ? try await run(.end) : false
    }

    /// Loads the page that precedes the first entity, or fills a gap from below.
    ///
    ///     try await chat.refresh(around: message.id)
    ///     if chat.hasPrevious { try await chat.loadPrevious() }
    ///
    /// The rules are those of ``loadMore(after:)``, the other way round: entities that pages have brought below the
    /// place keep their places. The cursor is that of the `previous` page, or the closure `cursorBefore` of the loader
    /// makes it of the first entity that a page has brought. If a page of a refresh with `insertAbove` joins first,
    /// there is no place for the page at the beginning any more.
    ///
    /// A gap is filled from above if there is no cursor to fill it from below.
    ///
    /// - Parameter id: The identifier after a gap, or `nil` for the beginning of the list. If there is a gap at the beginning,
    ///   `nil` fills this gap.
    /// - Returns: Whether a page has joined the list. It is `false` without a call of the loader if nothing precedes, or there is
    ///   no gap before the entity, and if a refresh has begun meanwhile.
    /// - Throws: A ``ListError``, the error of the loader, or a `CancellationError` if the task is cancelled. The call is
    ///   cancelled if nobody else waits for it. Its page doesn't join the list then, unless it is joining already.
    /// - Complexity: O(*g*) on average for the request, with *g* gaps, or O(*m* + *g*) before an entity of a list of *m*. When the
    ///   page joins, that of ``loadMore(after:)``.
    @discardableResult
    public func loadPrevious(before id: Value.ID? = nil) async throws -> Bool {
        guard let contents = knownPages?.contents else { return try await run(.beginning) }
        let gap = if let id { contents.gap(before: id) } else { contents.gaps.first { $0.id == nil } }
        if let gap { return try await run(gap.place(fromBelow: !gap.below.isDoubtful || gap.above.isDoubtful)) }
        return id == nil ? try await run(.beginning) : false
    }

    /// Whether ``loadMore(after:)`` without a gap may load a page, which is `true` if it isn't known.
    ///
    /// It isn't known after a restart, even if the end of the list was known before.
    public var hasMore: Bool {
        guard let (state, contents) = knownPages, state.end.isReached else { return true }
        return contents.gaps.contains { $0.id == nil }
    }

    /// Whether ``loadPrevious(before:)`` without an identifier may load a page, which is `true` if it isn't known.
    ///
    /// It is `false` if the page at the beginning has no `previous` cursor. It isn't known after a restart, even if the
    /// beginning was known before.
    public var hasPrevious: Bool {
        guard let (state, contents) = knownPages, state.beginning.isReached else { return true }
        return contents.gaps.contains { $0.id == nil }
    }

    /// The identifiers of listed entities after which others may be missing, in order.
    ///
    /// A refresh that inserts above leaves a gap. ``loadMore(after:)`` fills it from above, and ``loadPrevious(before:)`` from
    /// below, a page at a time. If a page has brought entities from the other side of the gap,
    /// both fill it from the side of the page, because the other entities there may have left the server.
    ///
    /// A gap belongs to its place, not to the entity before it. If this entity leaves the list or is moved, the gap is
    /// after the previous one. If all entities between two gaps leave, one gap remains. If there is no entity before a
    /// gap, the gap isn't one of these. Then ``hasMore`` and ``hasPrevious`` are `true`, and `loadMore()` and
    /// `loadPrevious()` fill this gap first.
    ///
    /// An `update`, such as a sort, keeps each gap after the last identifier before it that a page has brought, unless
    /// none of the identifiers remains. `replace` and ``removeAll()`` forget the gaps. A store keeps their places.
    public var gaps: [Value.ID] { knownPages?.contents.gaps.compactMap { $0.id } ?? [] }
}

extension ListGap {
    /// The place of the next page that fills the gap.
    fileprivate func place(fromBelow isFromBelow: Bool) -> ListPlace {
        isFromBelow ? .gapFromBelow(below.number) : .gap(above.number)
    }
}
