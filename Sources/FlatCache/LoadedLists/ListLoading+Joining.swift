/// The ways in which pages join the contents of a list.
///
/// An identifier that a page repeats has the place that the newest page gives it. What pages have brought on the side from which a
/// page is loaded keeps its place.
extension ListLoading {
    /// Joins a page.
    ///
    /// - Parameters:
    ///   - page: The page.
    ///   - request: Its request. What the app has added since then stays.
    ///   - call: The number of its call. What pages of later calls have brought stays.
    ///   - contents: The contents of the list.
    /// - Returns: The identifiers that aren't listed any more, because the server doesn't have them where the page is.
    mutating func join(
        _ page: LoadedPage<Value.ID>,
        of request: ListRequest<Value>,
        by call: UInt64,
        to contents: inout ListContents<Value>
    ) -> [Value.ID] {
        let old = request.contents
        switch request.place {
        case .first where request.joining == .insertAbove && !contents.order.isEmpty:
            // What the app has put at the beginning since the request stays there.
            let place = contents.order.firstIndex { contents.isPaged($0) || old.contains($0) }
            return insert(page, at: place ?? contents.order.count, of: request, by: call, in: &contents)
        case .first:
            let known = KeySet(page.ids)
            let added = contents.order.filter { !old.contains($0) && !contents.isPaged($0) && !known.contains($0) }
            contents.replace(with: added + page.ids)
            contents.paged = ListMembers()
            contents.notePage(page.ids)
            beginning.set(page.previous)
            end.set(page.next)
            return []
        case .beginning:
            if contents.gaps.first.map({ $0.id != nil }) ?? true, !page.ids.contains(where: contents.contains) {
                contents.insert(page.ids, at: 0)
                contents.notePage(page.ids)
                beginning.set(page.previous)
                return []
            }
            return insert(page, at: 0, of: request, by: call, in: &contents)
        case .end:
            if !page.ids.contains(where: contents.contains) {
                contents.append(page.ids)
                contents.notePage(page.ids)
                end.set(page.next)
                return []
            }
            return insert(page, at: contents.order.count, of: request, by: call, in: &contents)
        case .gap, .gapFromBelow:
            guard let gap = contents.gap(at: request.place) else { return [] }
            return insert(page, at: contents.place(of: gap), of: request, by: call, filling: gap, in: &contents)
        }
    }

    /// Inserts a page, whose entities follow one another on the server.
    ///
    /// Where the page joins what earlier pages have brought, it decides what is listed; see ``PageReach``. If it is the first or
    /// last page, it covers all that is above or below.
    private mutating func insert(
        _ page: LoadedPage<Value.ID>,
        at place: Int,
        of request: ListRequest<Value>,
        by call: UInt64,
        filling filled: ListGap<Value.ID>? = nil,
        in contents: inout ListContents<Value>
    ) -> [Value.ID] {
        let joint = PageJoint(page, at: place, of: request, filling: filled, in: contents)
        func isGone(_ id: Value.ID) -> Bool {
            contents.isPaged(id) && request.contents.contains(id) && !hasPlaced(id, after: call)
        }
        let replaced = contents.order[joint.covered]
        let stretch = ReplacedStretch(replaced, by: joint.ids, joint.known, joint.isFromBelow, isRemoved: isGone)
        let gaps = joint.gaps(of: contents, around: stretch.ids, beginning.cursor)

        // What a later request has brought beyond the last page says that more has come since.
        let isOutdated = replaced.contains { joint.isOther($0, in: contents) && !isGone($0) }
        let reachesEnd = joint.neighbour == nil && !(isOutdated && joint.cursor == nil)
        if joint.isFromBelow ? reachesEnd : request.page.isFirst { beginning.set(page.previous) }
        if !joint.isFromBelow, reachesEnd { end.set(page.next) }

        contents.gaps = []
        let leaving = joint.ids.filter(contents.contains) + replaced.filter { !joint.known.contains($0) }
        let brought = joint.ids + stretch.ids.filter(contents.isPaged)
        let start = joint.upper.count { joint.stays(contents.order[$0]) }
        if !leaving.isEmpty { _ = contents.remove(contentsOf: leaving) }
        contents.insert(stretch.ids, at: start)
        contents.notePage(brought)
        contents.gaps = gaps
        return stretch.removed
    }
}
