/// What is known of the pages of a list, stored like an entity under the name of the list.
struct ListLoading<Value: Cachable>: InternalEntity {
    let id: String
    /// What follows the last listed entity.
    private(set) var end = ListEnd.unknown
    /// The cursors of the pages that may be missing after listed entities.
    private(set) var gaps: [(id: Value.ID, next: any Sendable)] = []
    /// The generation of the contents to which `end` and `gaps` belong.
    private(set) var generation: UInt64 = 0
    /// The time of the last first page, since the cache was created, or `nil` if it isn't known.
    var loadedAt: Duration?
    /// Whether the first page counts as stale.
    var isInvalidated = false
    /// The numbers of the calls that have not ended.
    var calls: Set<UInt64> = []
    /// The error of the last call, or `nil` if it succeeded.
    var error: (any Error)?

    init(id: String) {
        self.id = id
    }

    /// Forgets all cursors if the contents were replaced since they were noted.
    func current(for contents: ListContents<Value>) -> Self {
        var state = self
        if generation != contents.generation { state.forgetCursors() }
        return state
    }

    /// Notes that a call has ended.
    mutating func note(_ call: UInt64, _ error: (any Error)?) {
        calls.remove(call)
        self.error = error
    }

    /// Takes the cursors as those of the contents.
    mutating func follow(_ contents: ListContents<Value>) { generation = contents.generation }

    mutating func forgetCursors() {
        end = .unknown
        gaps = []
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
/// An identifier that is listed twice has the place that the newest page gives it.
extension ListLoading {
    /// Joins the first page.
    mutating func join(
        _ page: LoadedPage<Value.ID>,
        _ joining: ListJoining,
        to contents: inout ListContents<Value>
    ) {
        let isFirst = contents.order.isEmpty
        switch joining {
        case .replace:
            gaps = []
            end = ListEnd(page.next)
            contents.replace(with: page.ids)
        case .insertAbove where isFirst:
            end = ListEnd(page.next)
            contents.append(page.ids)
        case .insertAbove:
            insert(page, after: nil, in: &contents)
        }
    }

    /// Joins the page after the last entity.
    mutating func append(_ page: LoadedPage<Value.ID>, to contents: inout ListContents<Value>) {
        remove(page.ids, from: &contents)
        contents.append(page.ids)
        end = ListEnd(page.next)
    }

    /// Joins a page after an entity with a gap.
    ///
    /// If the page has an entity from below the gap, or is the last one, the gap is closed.
    mutating func fill(_ gap: Value.ID, with page: LoadedPage<Value.ID>, in contents: inout ListContents<Value>) {
        guard let place = contents.order.firstIndex(of: gap) else { return }
        let index = gaps.firstIndex { $0.id == gap } ?? 0
        gaps.removeAll { $0.id == gap }
        insert(LoadedPage(page.ids.filter { $0 != gap }, next: page.next), after: (place, gap, index), in: &contents)
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
        let known = Set(page.ids)
        let last = contents.order.last
        let following = contents.order[(gap.map { $0.place + 1 } ?? 0)...].first { !known.contains($0) }
        // What followed the last listed entity of the page now follows the page.
        let lastListed = page.ids.last(where: contents.contains)
        let isBeforeGap = lastListed.map { id in gaps.contains { $0.id == id } } ?? true
        gaps.removeAll { known.contains($0.id) }
        remove(page.ids, from: &contents)
        _ = contents.insert(page.ids, before: following)
        if following == nil || lastListed != nil && lastListed == last {
            end = ListEnd(page.next)
        } else if isBeforeGap, let next = page.next, let bottom = page.ids.last ?? gap?.id {
            gaps.insert((bottom, next), at: min(gap?.index ?? 0, gaps.count))
        }
    }

    private func remove(_ ids: [Value.ID], from contents: inout ListContents<Value>) {
        let listed = ids.filter(contents.contains)
        if !listed.isEmpty { _ = contents.remove(contentsOf: listed) }
    }
}
