import FlatCache

/// An entity that refers to a writer, and to others through a value.
struct Note: Cachable, RelationshipOwner, Equatable {
    let id: Int
    var writerID = 0
    var text = ""
    var poll: Poll?

    struct Relationships: Sendable {
        var writer: _ToOne<Writer> { .init("Note.writerID", { $0.writerID }, set: { $0.writerID = $1 }) }
    }
    static var relationships: Relationships { Relationships() }
    static var allRelationships: _All { [.init(\.writer), .init(within: { $0.poll })] }
    static let indexes: [FlatCache.Index<Note>] = [.init(\.writerID)]
}

/// A value without an identifier of its own.
struct Poll: RelationshipOwner, Hashable, Sendable {
    var voterIDs: [Int] = []
    var followUps: [Poll] = []

    struct Relationships: Sendable {
        var voters: _ToMany<Writer> { .init("Poll.voterIDs", { $0.voterIDs }) }
    }
    static var relationships: Relationships { Relationships() }
    static var allRelationships: _All { [.init(\.voters), .init(within: { $0.followUps })] }
}

/// An entity that refers to another one of its type.
struct Writer: Cachable, RelationshipOwner, Equatable {
    let id: Int
    var name = ""
    var teacherID: Int?

    struct Relationships: Sendable {
        var teacher: _ToOptional<Writer> { .init("Writer.teacherID", { $0.teacherID }, set: { $0.teacherID = $1 }) }
    }
    static var relationships: Relationships { Relationships() }
    static var allRelationships: _All { [.init(\.teacher)] }
    static var deleteRules: [FlatCache.DeleteRule<Writer>] { [.init(\.teacher, .cascade)] }
}

/// An identifier that is compared without a lock.
struct SheetID: Hashable, Sendable {
    var number: Int
}

struct Sheet: Cachable, Equatable {
    let id: SheetID
    var text = ""

    init(_ number: Int, _ text: String = "") {
        id = SheetID(number: number)
        self.text = text
    }
}
