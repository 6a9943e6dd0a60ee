import FlatCache

/// A folder that is removed with the one around it.
struct Folder: Cachable, RelationshipOwner, Hashable {
    let id: Int
    var parentID: Int?
    var coverID: Int?

    struct Relationships: Sendable {
        var parent: _ToOptional<Folder> { .init("Folder.parentID", { $0.parentID }, set: { $0.parentID = $1 }) }
        var cover: _ToOptional<Document> { .init("Folder.coverID", { $0.coverID }, set: { $0.coverID = $1 }) }
    }
    static var relationships: Relationships { Relationships() }
    static var deleteRules: [FlatCache.DeleteRule<Folder>] { [.init(\.parent, .cascade), .init(\.cover, .nullify)] }
}

/// A document in a folder, with properties of all kinds that lose identifiers of removed people.
struct Document: Cachable, RelationshipOwner, Hashable {
    let id: Int
    var folderID: Int
    var authorID: Int?
    var editorIDs: [Int] = []
    var readerIDs: Set<Int> = []
    var formerIDs: [Int?]?
    var seatIDs: [[Int]] = []
    var roleIDs: [String: Int] = [:]
    /// An identifier that can't be lost.
    var creatorID = 0

    struct Relationships: Sendable {
        var folder: _ToOne<Folder> { .init("Document.folderID", { $0.folderID }, set: { $0.folderID = $1 }) }
        var author: _ToOptional<Person> { .init("Document.authorID", { $0.authorID }, set: { $0.authorID = $1 }) }
        var editors: _ToMany<Person> { .init("Document.editorIDs", { $0.editorIDs }, set: { $0.editorIDs = $1 }) }
        var readers: _ToMany<Person> { .init("Document.readerIDs", { $0.readerIDs }, set: { $0.readerIDs = $1 }) }
        var formers: _ToOptionalMany<Person> {
            .init("Document.formerIDs", { $0.formerIDs }, set: { $0.formerIDs = $1 })
        }
        var seats: _ToNested<Person> { .init("Document.seatIDs", { $0.seatIDs }, set: { $0.seatIDs = $1 }) }
        var roles: _ToKeyed<String, Person> { .init("Document.roleIDs", { $0.roleIDs }, set: { $0.roleIDs = $1 }) }
        var creator: _ToOne<Person> { .init("Document.creatorID", { $0.creatorID }, set: { $0.creatorID = $1 }) }
    }
    static var relationships: Relationships { Relationships() }
    static let indexes: [FlatCache.Index<Document>] = [.init(\.folderID)]
    static let deleteRules: [FlatCache.DeleteRule<Document>] = [
        .init(\.folder, .cascade, index: .init(\.folderID)), .init(\.author, .nullify, index: .init(\.authorID)),
        .init(\.editors, .nullify, index: .init(each: \.editorIDs)), .init(\.readers, .nullify),
        .init(\.formers, .nullify), .init(\.seats, .nullify), .init(\.roles, .nullify), .init(\.creator, .nullify),
    ]

    /// The document without a person.
    func without(_ id: Int) -> Document {
        var document = self
        if authorID == id { document.authorID = nil }
        document.editorIDs.removeAll { $0 == id }
        document.readerIDs.remove(id)
        // Setters leave out elements that are `nil`.
        if formerIDs?.contains(id) == true { document.formerIDs?.removeAll { $0 == id || $0 == nil } }
        document.seatIDs = seatIDs.map { $0.filter { $0 != id } }
        document.roleIDs = roleIDs.filter { $0.value != id }
        return document
    }
}

struct Person: Cachable, Hashable {
    let id: Int
}

/// Two types whose entities are removed with each other.
struct Padlock: Cachable, RelationshipOwner, Hashable {
    let id: Int
    var keyID: Int

    struct Relationships: Sendable {
        var key: _ToOne<DoorKey> { .init("Padlock.keyID", { $0.keyID }, set: { $0.keyID = $1 }) }
    }
    static var relationships: Relationships { Relationships() }
    static var deleteRules: [FlatCache.DeleteRule<Padlock>] { [.init(\.key, .cascade)] }
}

struct DoorKey: Cachable, RelationshipOwner, Hashable {
    let id: Int
    var lockID: Int

    struct Relationships: Sendable {
        var lock: _ToOne<Padlock> { .init("DoorKey.lockID", { $0.lockID }, set: { $0.lockID = $1 }) }
    }
    static var relationships: Relationships { Relationships() }
    static var deleteRules: [FlatCache.DeleteRule<DoorKey>] { [.init(\.lock, .cascade)] }
}
