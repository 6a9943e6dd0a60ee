/// What is known of the pages of a list, stored like an entity under the name of the list.
struct ListLoading<Value: Cachable>: InternalEntity {
    let id: String
    /// What follows the last listed entity.
    private(set) var end = ListEnd.unknown
    /// The number of the last change of `end`.
    private(set) var endNumber: UInt64 = 0
    /// The places where pages may be missing, in their order.
    private(set) var gaps: [ListGap<Value.ID>] = []
    /// The generation of the contents to which these belong.
    private(set) var generation: UInt64 = 0
    /// The time of the last first page, since the cache was created, or `nil` if it isn't known.
    private(set) var loadedAt: Duration?
    /// The number of invalidations, and that of those before the last first page was asked for.
    private(set) var invalidations = (all: 0, done: 0)
    /// The numbers of the calls that have not ended.
    var calls: Set<UInt64> = []
    /// The error of the last call, or `nil` if it succeeded.
    var error: (any Error)?
    private var lastNumber: UInt64 = 0

    init(id: String) {
        self.id = id
    }

    /// Whether the first page was invalidated since it was asked for.
    var isInvalidated: Bool { invalidations.all > invalidations.done }

    mutating func invalidate() { invalidations.all += 1 }

    /// Forgets what doesn't belong to the contents.
    func current(for contents: ListContents<Value>) -> Self {
        var state = self
        if generation != contents.generation { state.forgetPages() }
        return state
    }

    mutating func forgetPages() {
        setEnd(.unknown)
        gaps = []
        loadedAt = nil
    }

    /// Whether the place of a page is still there, and no other page has joined at it.
    func hasPlace(_ place: ListPlace, endNumber: UInt64, in contents: ListContents<Value>) -> Bool {
        switch place {
        case .first: true
        case .end: self.endNumber == endNumber
        case .gap(let number): gaps.contains { $0.number == number && contents.contains($0.id) }
        }
    }

    /// Notes that the first page has joined.
    ///
    /// - Parameters:
    ///   - time: The time.
    ///   - invalidations: The number of invalidations when the page was asked for.
    mutating func noteFirstPage(at time: Duration, after invalidations: Int) {
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
        endNumber = nextNumber()
    }

    private mutating func nextNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }
}

/// A place of a list where a page may be missing.
struct ListGap<ID: Hashable & Sendable>: Sendable {
    /// A number that identifies the gap, because comparing identifiers may run user code.
    let number: UInt64
    /// The identifier of the entity before it.
    let id: ID
    /// The cursor of the page.
    let next: any Sendable
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
/// An identifier that is listed twice has the place that the newest page gives it.
extension ListLoading {
    /// Joins the first page.
    mutating func join(
        _ page: LoadedPage<Value.ID>,
        _ joining: ListJoining,
        to contents: inout ListContents<Value>,
        keeping added: [Value.ID] = []
    ) {
        if joining == .insertAbove, !contents.order.isEmpty { return insert(page, after: nil, in: &contents) }
        gaps = []
        setEnd(ListEnd(page.next))
        contents.replace(with: added + page.ids)
    }

    /// Joins the page after the last entity.
    mutating func append(_ page: LoadedPage<Value.ID>, to contents: inout ListContents<Value>) {
        remove(page.ids, from: &contents)
        contents.append(page.ids)
        setEnd(ListEnd(page.next))
    }

    /// Joins a page after an entity with a gap.
    ///
    /// If the page has an entity from below the gap, or is the last one, the gap is closed. Entities above the gap keep their
    /// places.
    mutating func fill(_ number: UInt64, with page: LoadedPage<Value.ID>, in contents: inout ListContents<Value>) {
        guard let index = gaps.firstIndex(where: { $0.number == number }),
            let place = contents.order.firstIndex(of: gaps[index].id)
        else { return }
        let gap = gaps.remove(at: index)
        let above = KeySet(contents.order[...place])
        let rest = LoadedPage(page.ids.filter { !above.contains($0) }, next: page.next)
        insert(rest, after: (place, gap.id, index), in: &contents)
    }

    /// Inserts a page.
    ///
    /// - Parameters:
    ///   - page: The page.
    ///   - gap: The place and the identifier of the entity before it, and the place among the gaps, or `nil` for the beginning.
    ///   - contents: The contents of the list.
    private mutating func insert(
        _ page: LoadedPage<Value.ID>,
        after gap: (place: Int, id: Value.ID, index: Int)?,
        in contents: inout ListContents<Value>
    ) {
        let known = KeySet(page.ids)
        let last = contents.order.last
        let following = contents.order[(gap.map { $0.place + 1 } ?? 0)...].first { !known.contains($0) }
        // What followed the last listed entity of the page now follows the page.
        let lastListed = page.ids.last(where: contents.contains)
        let isBeforeGap = lastListed.map { id in gaps.contains { $0.id == id } } ?? true
        gaps.removeAll { known.contains($0.id) }
        remove(page.ids, from: &contents)
        _ = contents.insert(page.ids, before: following)
        if following == nil || lastListed != nil && lastListed == last {
            setEnd(ListEnd(page.next))
        } else if isBeforeGap, let next = page.next, let bottom = page.ids.last ?? gap?.id {
            let new = ListGap(number: nextNumber(), id: bottom, next: next)
            gaps.insert(new, at: min(gap?.index ?? 0, gaps.count))
        }
    }

    private func remove(_ ids: [Value.ID], from contents: inout ListContents<Value>) {
        let listed = ids.filter(contents.contains)
        if !listed.isEmpty { _ = contents.remove(contentsOf: listed) }
    }
}
