/// The part of a list that a page replaces.
///
/// What isn't removed and isn't in the page, such as what the app has added, stays after the entity of the page that it follows. If
/// there is none, it stays before the one that it precedes.
struct ReplacedStretch<ID: Hashable & Sendable> {
    /// The identifiers of the page, and those that stay between them.
    private(set) var ids: [ID] = []
    /// The identifiers that leave the list.
    private(set) var removed: [ID] = []

    init(
        _ stretch: some Sequence<ID>,
        by page: [ID],
        _ known: KeySet<ID>,
        _ isFromBelow: Bool,
        isRemoved: (ID) -> Bool
    ) {
        var (staying, before): ([ID: [ID]], [ID]) = ([:], [])
        var (first, previous): (ID?, ID?)
        for id in stretch {
            if known.contains(id) {
                first = first ?? id
                previous = id
            } else if isRemoved(id) {
                removed.append(id)
            } else if let previous {
                staying[previous, default: []].append(id)
            } else {
                before.append(id)
            }
        }
        if first == nil, isFromBelow { ids = before }
        for id in page {
            if id == first { ids += before }
            ids.append(id)
            if let following = staying[id] { ids += following }
        }
        if first == nil, !isFromBelow { ids += before }
    }
}
