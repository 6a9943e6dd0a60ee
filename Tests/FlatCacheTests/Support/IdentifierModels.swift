import FlatCache

/// An entity whose identifier is replaced.
struct Memo: Cachable, Equatable, RelationshipOwner {
    let id: String
    var text = ""
    var parentID: String?

    struct Relationships: Sendable {
        var parent: FlatCache.Relationship<Memo, FlatCache.ToOptional<Memo>> {
            .init("Memo.parentID", { $0.parentID }, set: { $0.parentID = $1 })
        }
    }

    static let relationships = Relationships()
    static var allRelationships: _All { [.init(\.parent)] }
}

/// An entity with all kinds of relationships in variables.
struct MemoFolder: Cachable, Equatable, RelationshipOwner {
    let id: Int
    var title = "tmp"
    var oneID = "x"
    var optionalID: String?
    var arrayIDs: [String] = []
    var setIDs: Set<String> = []
    var maybeIDs: [String]?
    var nestedIDs: [[String]] = []
    var keyedIDs: [Int: String] = [:]

    struct Relationships: Sendable {
        var one: FlatCache.Relationship<MemoFolder, FlatCache.ToOne<Memo>> {
            .init("MemoFolder.oneID", { $0.oneID }, set: { $0.oneID = $1 })
        }
        var optional: FlatCache.Relationship<MemoFolder, FlatCache.ToOptional<Memo>> {
            .init("MemoFolder.optionalID", { $0.optionalID }, set: { $0.optionalID = $1 })
        }
        var array: FlatCache.Relationship<MemoFolder, FlatCache.ToMany<Memo>> {
            .init("MemoFolder.arrayIDs", { $0.arrayIDs }, set: { $0.arrayIDs = $1 })
        }
        var set: FlatCache.Relationship<MemoFolder, FlatCache.ToMany<Memo>> {
            .init("MemoFolder.setIDs", { $0.setIDs }, set: { $0.setIDs = $1 })
        }
        var maybe: FlatCache.Relationship<MemoFolder, FlatCache.ToOptionalMany<Memo>> {
            .init("MemoFolder.maybeIDs", { $0.maybeIDs }, set: { $0.maybeIDs = $1 })
        }
        var nested: FlatCache.Relationship<MemoFolder, FlatCache.ToNested<Memo>> {
            .init("MemoFolder.nestedIDs", { $0.nestedIDs }, set: { $0.nestedIDs = $1 })
        }
        var keyed: FlatCache.Relationship<MemoFolder, FlatCache.ToKeyed<Int, Memo>> {
            .init("MemoFolder.keyedIDs", { $0.keyedIDs }, set: { $0.keyedIDs = $1 })
        }
    }

    static let relationships = Relationships()
    static var allRelationships: _All {
        [
            .init(\.one), .init(\.optional), .init(\.array), .init(\.set), .init(\.maybe), .init(\.nested),
            .init(\.keyed),
        ]
    }
}

/// An entity that forgets a memo when it is removed.
struct MemoNote: Cachable, Equatable, RelationshipOwner {
    let id: Int
    var memoID: String?

    struct Relationships: Sendable {
        var memo: FlatCache.Relationship<MemoNote, FlatCache.ToOptional<Memo>> {
            .init("MemoNote.memoID", { $0.memoID }, set: { $0.memoID = $1 })
        }
    }

    static let relationships = Relationships()
    static var allRelationships: _All { [.init(\.memo)] }
    static var deleteRules: [FlatCache.DeleteRule<MemoNote>] { [.init(\.memo, .nullify)] }
}

/// An entity with relationships in constants, which can be encoded and decoded.
struct Binder: Cachable, Equatable, Codable, RelationshipOwner {
    let id: Int
    let title: String
    let memoID: String
    let memoIDs: [String]
    let byPage: [Int: String]
    let maybeID: String?
    let tabs: [Tab]
    /// It has the identifier of another type.
    let folderID: String

    struct Relationships: Sendable {
        var memo: FlatCache.Relationship<Binder, FlatCache.ToOne<Memo>> { .init("Binder.memoID", { $0.memoID }) }
        var memos: FlatCache.Relationship<Binder, FlatCache.ToMany<Memo>> { .init("Binder.memoIDs", { $0.memoIDs }) }
        var pages: FlatCache.Relationship<Binder, FlatCache.ToKeyed<Int, Memo>> {
            .init("Binder.byPage", { $0.byPage })
        }
        var maybe: FlatCache.Relationship<Binder, FlatCache.ToOptional<Memo>> {
            .init("Binder.maybeID", { $0.maybeID })
        }
        var shelf: FlatCache.Relationship<Binder, FlatCache.ToOne<Shelf>> { .init("Binder.folderID", { $0.folderID }) }
    }

    static let relationships = Relationships()
    static var allRelationships: _All {
        [
            .init(\.memo), .init(\.memos), .init(\.pages), .init(\.maybe), .init(\.shelf),
            .init(within: { $0.tabs }),
        ]
    }
}

/// A value in an entity.
struct Tab: Equatable, Codable, RelationshipOwner {
    var color: String
    let memoID: String

    struct Relationships: Sendable {
        var memo: FlatCache.Relationship<Tab, FlatCache.ToOne<Memo>> { .init("Tab.memoID", { $0.memoID }) }
    }

    static let relationships = Relationships()
    static var allRelationships: _All { [.init(\.memo)] }
}

/// An entity whose identifiers are like those of memos.
struct Shelf: Cachable, Equatable {
    let id: String
}

/// An entity with a relationship in a constant, which can't be decoded.
struct Stone: Cachable, Equatable, RelationshipOwner {
    let id: Int
    let memoID: String

    struct Relationships: Sendable {
        var memo: FlatCache.Relationship<Stone, FlatCache.ToOne<Memo>> { .init("Stone.memoID", { $0.memoID }) }
    }

    static let relationships = Relationships()
    static var allRelationships: _All { [.init(\.memo)] }
}

/// An entity with a relationship in a constant, whose coding leaves out a property.
struct Leaf: Cachable, Codable, RelationshipOwner {
    let id: Int
    let memoID: String
    var isOpen = false

    enum CodingKeys: CodingKey {
        case id, memoID
    }

    struct Relationships: Sendable {
        var memo: FlatCache.Relationship<Leaf, FlatCache.ToOne<Memo>> { .init("Leaf.memoID", { $0.memoID }) }
    }

    static let relationships = Relationships()
    static var allRelationships: _All { [.init(\.memo)] }
}

/// An entity with a constant array of identifiers.
struct Row: Cachable, Codable, RelationshipOwner {
    let id: Int
    let memoIDs: [String]

    struct Relationships: Sendable {
        var memos: FlatCache.Relationship<Row, FlatCache.ToMany<Memo>> { .init("Row.memoIDs") { $0.memoIDs } }
    }

    static let relationships = Relationships()
    static var allRelationships: _All { [.init(\.memos)] }
}

/// An entity with values that are cases, of which one has an identifier.
struct Board: Cachable, Equatable, Codable, RelationshipOwner {
    let id: Int
    var pin: Pin
    let pins: [Pin]
    var maybe: Pin?

    /// A case with an identifier, and a text that can be the same.
    enum Pin: Equatable, Codable, RelationshipOwner {
        case memo(String, label: String)
        case note(text: String)
        case nothing

        struct Relationships: Sendable {
            var memo: FlatCache.Relationship<Pin, FlatCache.ToOptional<Memo>> {
                .init("Pin.memo") { if case .memo(let id, _) = $0 { id } else { nil } }
            }
        }

        static let relationships = Relationships()
        static var allRelationships: _All { [.init(\.memo)] }
    }

    struct Relationships: Sendable {}

    static let relationships = Relationships()
    static var allRelationships: _All {
        [.init(within: { $0.pin }), .init(within: { $0.pins }), .init(within: { $0.maybe })]
    }
}

extension FlatCache {
    /// The text of the memo that readers see under an identifier.
    func text(_ id: String) -> String? { get(Memo.self, id: id)?.text }

    /// Replaces the identifier of a memo.
    @discardableResult
    func replaceMemo(_ old: String, by new: String, _ text: String = "new") -> IdentifierReplacement {
        replaceIdentifier(of: Memo.self, old, with: Memo(id: new, text: text))
    }
}
