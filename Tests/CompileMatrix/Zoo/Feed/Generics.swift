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

/// Generic entities with parameters of every kind that a protocol can have.
struct Envelope<ID: Hashable & Sendable, Content: Sendable & Swift.Sequence>: Cachable
where Content.Element: Letter, ID: Comparable {
    let id: ID
    var content: Content
    // relationship: Envelope
    var replyIDs: [ID]
    // relationship: Item
    let stampID: Int
}

nonisolated protocol Letter {}
nonisolated extension String: Letter {}

enum Archive {
    typealias Paper = Letter

    struct Drawer<Content: Paper & Sendable>: Sendable {
        struct Folder<Label: Sendable>: Cachable {
            let id: Int
            // relationship: Item
            var itemIDs: Set<Int>?
            // relationship: Folder, name: next
            var nextID: Int?
            let content: [Content]
            let label: Label?
        }
    }
}

/// One with a parameter pack.
struct Several<each Content: Sendable>: Cachable {
    let id: Int
    // relationship: Item
    var itemID: Int
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
