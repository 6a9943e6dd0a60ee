public import FlatCache

/// A novelist, who stores no identifiers of books.
public struct Novelist: Cachable, Equatable {
    /// The identifier.
    public let id: Int
    /// The name.
    public var name = ""
}

/// A book, with backlinks of every kind.
public struct Book: Cachable, Equatable {
    /// The identifier.
    public let id: Int
    // relationship: Novelist, backlink: books
    /// The identifier of the novelist.
    public var novelistID: Int
    // relationship: Novelist, backlink: translations, sorted: year - the oldest first
    // cache: index, unique
    /// The identifier of the translator.
    public internal(set) var translatorID: Novelist.ID?
    // cache: index
    // relationship: Subject, backlink: books, sorted: title
    var subjectIDs: [Int] = []
    // relationship: Shelf.Place, name: places, backlink: books
    var shelfPlaceIDs: Set<String>?
    // relationship: Book, backlink: sequels
    let prequelID: Int?
    #if DEBUG
    // relationship: Novelist, backlink: checkedBooks
    package var checkerID: Int?
    #else
    // relationship: Novelist, backlink: checkedBooks
    package let checkerID: Int?
    #endif
    // cache: index
    /// The title.
    public var title: String = ""
    /// The year.
    public var year: Int?
}

struct Subject: Cachable, Equatable {
    let id: Int
    // relationship: Subject, name: broader, backlink: narrower
    var broaderSubjectID: Int?
}

enum Shelf {
    struct Place: Cachable, Equatable {
        let id: String
        var label: String  // cache: index - a trailing one
    }
}
