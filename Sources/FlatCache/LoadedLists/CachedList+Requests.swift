/// What a request asks for.
extension CachedList {
    /// Joins the call for a place, or begins one, which must be started.
    ///
    /// The request is made again if a page joins the list while it is made.
    ///
    /// - Parameters:
    ///   - place: The place.
    ///   - joining: How the page joins what is listed.
    ///   - policy: The policy, of which only the choice about newer writes is used.
    ///   - entity: The entity around which the page is, or `nil` for none.
    ///   - caller: The call of a fetcher or loader that is going to wait, or `nil` if there is none.
    /// - Returns: The call, or `nil` if there is nothing to load.
    func begin(
        _ place: ListPlace,
        _ joining: ListJoining,
        _ policy: FetchPolicy,
        around entity: Value.ID? = nil,
        caller: FetchGraphNode? = nil
    ) throws -> (ListLoader<Value>, ListCall<Value>, isNew: Bool)? {
        while true {
            do {
                return try tryToBegin(place, joining, policy, entity, caller)
            } catch ListJoinFailure.cyclic {
                throw ListError.cyclic(name)
            } catch ListJoinFailure.outdated {}
        }
    }

    private func tryToBegin(
        _ place: ListPlace,
        _ joining: ListJoining,
        _ policy: FetchPolicy,
        _ entity: Value.ID?,
        _ caller: FetchGraphNode?
    ) throws -> (ListLoader<Value>, ListCall<Value>, isNew: Bool)? {
        guard let cache else { throw ListError.cacheGone(name) }
        let loader = cache.listLoaders.knownLoader(of: self)
        let source = loader?.source
        let endedJoins = loader?.endedJoins
        // Without the layers of mutations, whose identifiers the server may not know.
        let (state, contents) = cache.confirmed { stored(in: cache) }
        guard let (place, page) = page(at: place, state, contents, source, around: entity) else { return nil }
        guard let loader, let source, let endedJoins else { throw ListError.noLoader(name) }
        if entity != nil, source.takesCursorsOnly { throw ListError.cursorsOnly(name) }
        let running = entity.map { id in
            let call = loader.call(at: .first)
            return (running: call?.number, isSame: call?.entity == id)
        }
        let request = ListRequest(
            list: self,
            place: place,
            joining: joining,
            source: source,
            page: page,
            around: running,
            contents: contents,
            beginningNumber: state.beginning.number,
            endNumber: state.end.number,
            lastFirstCall: state.lastFirstCall,
            invalidations: state.invalidations.all,
            endedJoins: endedJoins
        )
        SyncPoint.reach(.listed)
        let replacesNewerWrites = policy.replacesNewerWrites
        let joined = loader.join(request, replacesNewerWrites: replacesNewerWrites, caller: caller)
        let (call, isNew, ended) = try joined.get()
        if isNew {
            changeLoading { state in
                state.calls.subtract(ended.map { $0.number })
                state.calls.insert(call.number)
            }
            // The list was removed meanwhile.
            if call.isDropped { end([call]) }
        }
        return (loader, call, isNew)
    }

    /// The page to load and its place, or `nil` if there is nothing to load.
    ///
    /// Without a cursor it is the first page, which replaces the list.
    private func page(
        at place: ListPlace,
        _ state: ListLoading<Value>,
        _ contents: ListContents<Value>,
        _ source: ListLoader<Value>.Source?,
        around entity: Value.ID?
    ) -> (ListPlace, ListPageRequest<Value, any Sendable>)? {
        let (order, gap) = (contents.order, contents.gap(at: place))
        let cursor: (any Sendable)?
        switch place {
        case .first: return (place, entity.map { .around($0) } ?? .first)
        case .beginning:
            if state.beginning.isReached { return nil }
            cursor = contents.cursor(state.beginning.cursor, source?.cursorBefore, contents.firstPaged(), order.first)
        case .end:
            if state.end.isReached { return nil }
            cursor = contents.cursor(state.end.cursor, source?.cursorAfter, contents.lastPaged(), order.last)
        case .gap:
            guard let gap else { return nil }
            cursor = contents.cursor(gap.above.cursor, source?.cursorAfter, contents.lastPaged(above: gap), gap.id)
            // The first page is in the gap if no page has brought what is above.
            if cursor == nil, contents.lastPaged(above: gap) == nil { return (place, .first) }
        case .gapFromBelow:
            guard let gap else { return nil }
            cursor = contents.cursor(gap.below.cursor, source?.cursorBefore, contents.firstPaged(below: gap), nil)
            // Without a cursor, it is filled from above.
            if cursor == nil { return page(at: .gap(gap.above.number), state, contents, source, around: entity) }
        }
        guard let cursor else { return (.first, .first) }
        return (place, place.isFromBelow ? .before(cursor) : .after(cursor))
    }
}

extension ListContents {
    /// The cursor to send, or `nil` if there is none.
    ///
    /// The cursor that came with a page is sent while the entity of the page beside which the next one begins is listed, because
    /// the server may not know it afterwards. Then a closure makes the cursor, if there is one, of what pages have brought.
    ///
    /// - Parameters:
    ///   - known: The cursor that came with a page, or `nil` if it isn't known.
    ///   - make: Makes a cursor of an identifier, or is `nil` if cursors aren't made of identifiers.
    ///   - paged: The nearest identifier that a page has brought.
    ///   - own: The nearest identifier, which is used if no page has brought one, and none is known to have done so.
    fileprivate func cursor(
        _ known: ListCursor<Value.ID>?,
        _ make: (@Sendable (Value.ID) -> any Sendable)?,
        _ paged: @autoclosure () -> Value.ID?,
        _ own: @autoclosure () -> Value.ID?
    ) -> (any Sendable)? {
        if let known, make == nil || known.id.map(contains) ?? true { return known.cursor }
        guard let make else { return nil }
        return (paged() ?? (known == nil ? own() : nil)).map(make)
    }
}
