/// What is known of the pages of a list, stored like an entity under the name of the list.
struct ListLoading<Value: Cachable>: InternalEntity {
    let id: String
    /// What precedes the first listed entity, and what follows the last one.
    var beginning = ListEnd<Value.ID>()
    var end = ListEnd<Value.ID>()
    /// The generation of the contents to which these belong.
    private(set) var generation: UInt64 = 0
    /// The time of the last first page, since the cache was created, or `nil` if it isn't known.
    private(set) var loadedAt: Duration?
    /// Whether all entities of the type were removed since that page was asked for.
    private var isCleared = false
    /// The number of invalidations, and that of those before the last first page was asked for.
    private(set) var invalidations = (all: 0, done: 0)
    /// The number of the last call whose first page has joined.
    private(set) var lastFirstCall: UInt64 = 0
    /// The numbers of the calls that have not ended.
    var calls: Set<UInt64> = [] {
        didSet { if calls.isEmpty { (removals, placements) = (IDTrie(), IDTrie()) } }
    }
    /// The identifiers that were removed since the first of these calls began, each with the number of the last call whose page
    /// doesn't list it.
    private var removals = IDTrie<Value.ID, UInt64>()
    /// The identifiers that pages have brought since then, each with the number of the call.
    private var placements = IDTrie<Value.ID, UInt64>()
    /// The error of the last call, or `nil` if it succeeded.
    var error: (any Error)?
    /// What the last page has that could not be read or stored.
    var problems: [PayloadProblem] = []

    init(id: String) {
        self.id = id
    }

    /// Whether the first page was invalidated, or all entities were removed, since it was asked for.
    var isInvalidated: Bool { isCleared || invalidations.all > invalidations.done }

    /// Whether the list begins with a first page that was loaded since the cache was created.
    var beginsWithFirstPage: Bool { loadedAt != nil && beginning.isReached }

    /// Whether a page has joined or is being loaded, or the last call has failed.
    var wasRequested: Bool { generation > 0 || !calls.isEmpty || error != nil }

    mutating func invalidate() { invalidations.all += 1 }

    /// Notes that the app has removed identifiers.
    mutating func noteRemovals(_ ids: [Value.ID]) {
        if let last = calls.max() { noteRemovals(ids, asOf: last) }
    }

    /// Notes that the page of a call has removed identifiers, which the pages of earlier calls don't list again.
    mutating func noteRemovals(_ ids: [Value.ID], asOf call: UInt64) {
        if calls.isEmpty { return }
        for id in ids where !hasRemoved(id, since: call) { removals.set(call, for: id) }
    }

    /// Notes that the page of a call has brought identifiers, which the pages of earlier calls don't remove.
    mutating func notePlacements(_ ids: [Value.ID], asOf call: UInt64) {
        if calls.isEmpty { return }
        for id in ids where !hasPlaced(id, after: call) { placements.set(call, for: id) }
    }

    /// Whether the page of a later call has brought an identifier.
    func hasPlaced(_ id: Value.ID, after call: UInt64) -> Bool { placements[id].map { $0 > call } ?? false }

    /// Whether an identifier was removed since a call began.
    func hasRemoved(_ id: Value.ID, since call: UInt64) -> Bool { removals[id].map { $0 >= call } ?? false }

    /// Forgets what doesn't belong to the contents.
    func current(for contents: ListContents<Value>) -> Self {
        if generation == contents.generation { return self }
        var state = self
        state.forgetPages()
        return state
    }

    /// Notes that all entities of the type are removed, after a first page was loaded.
    mutating func noteClear() { (loadedAt, isCleared) = (nil, true) }

    mutating func forgetPages() {
        beginning.set(.unknown)
        end.set(.unknown)
        loadedAt = nil
    }

    /// Whether the page of a call may join the contents of the list.
    func isCurrent(_ call: ListCall<Value>, in contents: ListContents<Value>) -> Bool {
        calls.contains(call.number) && belongs(call.request, to: contents)
            && hasPlace(call.request, call.number, in: contents)
    }

    /// Whether a page belongs to the contents of the list.
    ///
    /// The list may have been replaced since the request by a first page, which was asked for before if ``hasPlace(_:_:in:)``.
    private func belongs(_ request: ListRequest<Value>, to contents: ListContents<Value>) -> Bool {
        if contents.generation == request.generation { return true }
        return request.place == .first && generation == contents.generation && lastFirstCall > request.lastFirstCall
    }

    /// Whether the place of a page is still there, and no other page has joined at it.
    private func hasPlace(_ request: ListRequest<Value>, _ call: UInt64, in contents: ListContents<Value>) -> Bool {
        switch request.place {
        case .first: call > lastFirstCall
        case .beginning: beginning.number == request.beginningNumber
        case .end: end.number == request.endNumber
        case .gap, .gapFromBelow: contents.gap(at: request.place) != nil
        }
    }

    /// Notes that the page of a call has joined the contents, or is as they are.
    ///
    /// - Parameters:
    ///   - call: The call.
    ///   - contents: The contents of the list.
    ///   - time: The time, from which the age of a first page is counted.
    mutating func note(_ call: ListCall<Value>, in contents: inout ListContents<Value>, at time: Duration) {
        if call.request.place == .first {
            lastFirstCall = call.number
            (loadedAt, isCleared) = (time, false)
            invalidations.done = call.request.invalidations
            contents.isStale = isInvalidated
        }
        if contents.generation == 0 { contents.generation = nextListNumber() }
        calls.remove(call.number)
        error = nil
        generation = contents.generation
    }
}

/// What precedes the first entity of a list, or follows the last one.
struct ListEnd<ID: Hashable & Sendable>: Sendable {
    enum Neighbour: Sendable {
        case unknown, nothing
        case page(ListCursor<ID>)
    }

    private(set) var neighbour = Neighbour.unknown
    /// The number of the last change.
    private(set) var number: UInt64 = 0

    /// Whether it is known that no page is there.
    var isReached: Bool { if case .nothing = neighbour { true } else { false } }

    /// The cursor of the page there, or `nil` if there is none or it isn't known.
    var cursor: ListCursor<ID>? { if case .page(let cursor) = neighbour { cursor } else { nil } }

    mutating func set(_ new: Neighbour) {
        neighbour = new
        number += 1
    }

    /// Notes the cursor of a page, or that there is none.
    mutating func set(_ cursor: ListCursor<ID>?) { set(cursor.map { .page($0) } ?? .nothing) }
}

/// A page without the type of its cursors.
struct LoadedPage<ID: Hashable & Sendable> {
    /// The identifiers to list, each once.
    let ids: [ID]
    /// The cursors of the pages before and after it.
    let previous: ListCursor<ID>?
    let next: ListCursor<ID>?
}
