import FlatCache

/// Generic owners: no entities, and entities.
struct Page<Element: Sendable> where Element: Equatable {
    var elements: [Element] = []
    // relationship: Item
    var itemIDs: [Int]
    // relationship: Item, name: first
    let firstID: Int?

    struct Cursor<Direction> {
        // relationship: Item
        var itemID: Int
    }
}

struct Versioned<Content: Hashable & Sendable>: Cachable {
    let id: Int
    var content: Content
    // relationship: Versioned, name: previous
    var previousID: Int?
    // relationship: Item
    var itemIDs: Set<Int>
}

nonisolated struct Tagged<Tag>: Hashable, Sendable {
    let value: Int
}

struct Ticket: Cachable {
    let id: Tagged<Ticket>
    // relationship: Ticket, name: blocker
    var blockerID: Tagged<Ticket>?
    // relationship: Ticket
    var ticketIDs: [Tagged<Ticket>]
}

/// No entity, and so main-actor isolated where that is the default.
struct Screen {
    // relationship: Item
    var itemID: Int
    // relationship: Item
    var selectedItemIDs: [Int] = []
    // relationship: Item, name: constant
    let constantID: Int?
}
