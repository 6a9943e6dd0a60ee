/// A place of a list where a page belongs.
enum ListPlace: Hashable, Sendable {
    /// The whole list, or its beginning if the page is inserted above. It is the place of a page around an entity, too.
    case first
    /// The place before the first entity, and that after the last one.
    case beginning, end
    /// The gap with a number, filled from above or from below.
    case gap(UInt64)
    case gapFromBelow(UInt64)

    /// Whether the page precedes what is listed below the place, and doesn't follow what is listed above.
    var isFromBelow: Bool {
        switch self {
        case .first, .end, .gap: false
        case .beginning, .gapFromBelow: true
        }
    }
}
