/// What is known of the pages of a list, stored like an entity under the name of the list.
struct ListLoading<Value: Cachable>: InternalEntity {
    let id: String
    /// What follows the last listed entity.
    private(set) var end = ListEnd.unknown
    /// The number of the last change of `end`.
    private(set) var endNumber: UInt64 = 0
    /// The generation of the contents to which these belong.
    private(set) var generation: UInt64 = 0
    /// The time of the last first page, since the cache was created, or `nil` if it isn't known.
    private(set) var loadedAt: Duration?
    /// The number of invalidations, and that of those before the last first page was asked for.
    private(set) var invalidations = (all: 0, done: 0)
    /// The number of the last call whose first page has joined.
    private(set) var lastFirstCall: UInt64 = 0
    /// The numbers of the calls that have not ended.
    var calls: Set<UInt64> = [] {
        didSet { if calls.isEmpty { removals = IDTrie() } }
    }
    /// The identifiers that the app has removed since the first of these calls began, each with the number of the last call that
    /// had begun then.
    private var removals = IDTrie<Value.ID, UInt64>()
    /// The error of the last call, or `nil` if it succeeded.
    var error: (any Error)?

    init(id: String) {
        self.id = id
    }

    /// Whether the first page was invalidated since it was asked for.
    var isInvalidated: Bool { invalidations.all > invalidations.done }

    /// Whether a page has joined or is being loaded, or the last call has failed.
    var wasRequested: Bool { generation > 0 || !calls.isEmpty || error != nil }

    mutating func invalidate() { invalidations.all += 1 }

    /// Notes that the app has removed identifiers.
    mutating func noteRemovals(_ ids: [Value.ID]) {
        guard let last = calls.max() else { return }
        for id in ids { removals.set(last, for: id) }
    }

    /// Whether the app has removed an identifier since a call began.
    func hasRemoved(_ id: Value.ID, since call: UInt64) -> Bool { removals[id].map { $0 >= call } ?? false }

    /// Forgets what doesn't belong to the contents.
    func current(for contents: ListContents<Value>) -> Self {
        var state = self
        if generation != contents.generation { state.forgetPages() }
        return state
    }

    mutating func forgetPages() {
        setEnd(.unknown)
        loadedAt = nil
    }

    /// Whether a page belongs to the contents of the list.
    ///
    /// The list may have been replaced since the request by a first page, which was asked for before if ``hasPlace(_:_:in:)``.
    func isCurrent(_ request: ListRequest<Value>, in contents: ListContents<Value>) -> Bool {
        if contents.generation == request.generation { return true }
        return request.place == .first && generation == contents.generation && lastFirstCall > request.lastFirstCall
    }

    /// Whether the place of a page is still there, and no other page has joined at it.
    ///
    /// - Parameters:
    ///   - request: The request of the page.
    ///   - call: The number of its call.
    ///   - contents: The contents of the list.
    func hasPlace(_ request: ListRequest<Value>, _ call: UInt64, in contents: ListContents<Value>) -> Bool {
        switch request.place {
        case .first: call > lastFirstCall
        case .end: endNumber == request.endNumber
        case .gap(let number): contents.gap(number) != nil
        }
    }

    /// Notes that the first page has joined.
    ///
    /// - Parameters:
    ///   - call: The number of its call.
    ///   - time: The time.
    ///   - invalidations: The number of invalidations when the page was asked for.
    mutating func noteFirstPage(_ call: UInt64, at time: Duration, after invalidations: Int) {
        lastFirstCall = call
        loadedAt = time
        self.invalidations.done = invalidations
    }

    /// Notes that a page has joined the contents.
    mutating func note(_ call: UInt64, in contents: ListContents<Value>) {
        calls.remove(call)
        error = nil
        generation = contents.generation
    }

    private mutating func setEnd(_ new: ListEnd) {
        end = new
        endNumber += 1
    }
}

/// What follows the last entity of a list.
enum ListEnd: Sendable {
    case unknown
    /// A page with this cursor.
    case more(any Sendable)
    case nothing

    init(_ next: (any Sendable)?) {
        self = next.map { .more($0) } ?? .nothing
    }
}

/// A page without the type of its cursor.
struct LoadedPage<ID: Hashable & Sendable> {
    /// The identifiers, each once.
    let ids: [ID]
    let next: (any Sendable)?

    init(_ ids: [ID], next: (any Sendable)?) {
        self.ids = KeySet(ids).keys
        self.next = next
    }
}

/// The ways in which pages join the contents of a list.
///
/// An identifier that a page repeats has the place that the newest page gives it. If the page fills a gap, the identifiers above the
/// gap keep their places.
extension ListLoading {
    /// Joins the first page.
    ///
    /// - Parameters:
    ///   - page: The page.
    ///   - joining: How it joins what is listed.
    ///   - contents: The contents of the list.
    ///   - old: The contents when the page was asked for. What the app has added since then stays.
    mutating func join(
        _ page: LoadedPage<Value.ID>,
        _ joining: ListJoining,
        to contents: inout ListContents<Value>,
        since old: ListContents<Value>
    ) {
        if joining == .insertAbove, !contents.order.isEmpty { return insert(page, at: 0, after: nil, in: &contents) }
        let known = KeySet(page.ids)
        let added = contents.order.filter { !old.contains($0) && !contents.isPaged($0) && !known.contains($0) }
        contents.replace(with: added + page.ids)
        contents.paged = ListMembers()
        contents.notePage(page.ids)
        setEnd(ListEnd(page.next))
    }

    /// Joins the page after the last entity.
    mutating func append(_ page: LoadedPage<Value.ID>, to contents: inout ListContents<Value>) {
        remove(page.ids, from: &contents)
        contents.append(page.ids)
        contents.notePage(page.ids)
        setEnd(ListEnd(page.next))
    }

    /// Joins a page after an entity with a gap.
    ///
    /// Entities above the gap keep their places.
    mutating func fill(_ number: UInt64, with page: LoadedPage<Value.ID>, in contents: inout ListContents<Value>) {
        guard let index = contents.gaps.firstIndex(where: { $0.number == number }) else { return }
        let gap = contents.gaps.remove(at: index)
        let place = contents.place(of: gap)
        let above = KeySet(contents.order[..<place])
        let rest = LoadedPage(page.ids.filter { !above.contains($0) }, next: page.next)
        insert(rest, at: place, after: gap.id, in: &contents)
    }

    /// Inserts a page, whose entities follow one another on the server.
    ///
    /// The page reaches what pages have brought before if it has an identifier of that. Those that the app has added don't count,
    /// because what precedes them on the server may be missing. If it reaches nothing, or a gap follows what it reaches, a gap
    /// follows the page.
    ///
    /// - Parameters:
    ///   - page: The page.
    ///   - place: The place.
    ///   - previous: The identifier before the place, or `nil` at the beginning.
    ///   - contents: The contents of the list.
    private mutating func insert(
        _ page: LoadedPage<Value.ID>,
        at place: Int,
        after previous: Value.ID?,
        in contents: inout ListContents<Value>
    ) {
        let known = KeySet(page.ids)
        let order = contents.order
        let reached = page.ids.last(where: contents.isPaged).flatMap { order.firstIndex(of: $0) }
        let rest = reached.map { $0 + 1 } ?? place
        // The next place whose predecessors on the server are listed, or in a gap.
        let next = order[rest...].firstIndex(where: contents.isPaged)
        let places = contents.gaps.map(contents.place(of:))
        let isBeforeGap = reached == nil || places.contains { $0 >= rest && $0 <= next ?? .max }
        contents.gaps = zip(contents.gaps, places).filter { $1 < place || $1 > next ?? .max }.map { $0.0 }
        let index = places.count { $0 < place }
        let following = order[place...].first { !known.contains($0) }
        remove(page.ids, from: &contents)
        _ = contents.insert(page.ids, before: following)
        contents.notePage(page.ids)
        if next == nil {
            setEnd(ListEnd(page.next))
        } else if isBeforeGap, let cursor = page.next {
            let gap = ListGap(number: ListContents<Value>.nextGeneration(), id: page.ids.last ?? previous, next: cursor)
            contents.gaps.insert(gap, at: index)
        }
    }

    private func remove(_ ids: [Value.ID], from contents: inout ListContents<Value>) {
        let listed = ids.filter(contents.contains)
        if !listed.isEmpty { _ = contents.remove(contentsOf: listed) }
    }
}
