import FlatCache
import Foundation
import Testing

@testable import FlatCacheStore

/// Two versions of one type.
private enum Old {
    struct Note: Storable, Codable, Equatable {
        static let storedName = "Note"
        let id: String
        var text: String
    }
}

private enum New {
    struct Note: Storable, Codable, Equatable {
        static let storedName = "Note"
        static let storedVersion = 2
        let id: String
        var text: String

        static func migrate(_ members: inout StoredMembers, from version: Int) throws {
            let text = try members["text", as: String.self]
            if text == "refused" { throw Refusal() }
            if text == "moved" { try members.set("id", to: "elsewhere") }
        }
    }

    struct Refusal: Error, CustomStringConvertible {
        var description: String { "it is refused" }
    }
}

/// A type of which a date is stored, for which records have a tag.
private struct Day: Storable, Equatable {
    static let storedName = "Day"
    let id: Int

    var storedForm: Date { Date(timeIntervalSinceReferenceDate: Double(id)) }

    init(id: Int) { self.id = id }

    init(storedForm: Date) { id = Int(storedForm.timeIntervalSinceReferenceDate) }
}

/// The same with a URL, which a decoder must not create by its `init(from:)`.
private struct Page: Storable, Equatable {
    static let storedName = "Page"
    let id: URL

    var storedForm: URL { id }

    init(id: URL) { self.id = id }

    init(storedForm: URL) { id = storedForm }
}

/// A type that keeps the containers in which it was decoded.
private struct Keeper: Storable, Codable, Equatable {
    static let storedName = "Keeper"
    let id: Int
    var name: String

    init(id: Int) {
        self.id = id
        name = "name \(id)"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(Int.self, forKey: .id)
        name = try container.decode(String.self, forKey: .name)
        // One reader serves several records, unless a container of one remains.
        if id.isMultiple(of: 2) { Self.kept.add(container) }
    }

    enum CodingKeys: CodingKey { case id, name }

    static let kept = Kept()

    final class Kept: @unchecked Sendable {  // The lock guards the containers.
        private let lock = NSLock()
        private var containers: [KeyedDecodingContainer<CodingKeys>] = []

        func add(_ container: KeyedDecodingContainer<CodingKeys>) { lock.withLock { containers.append(container) } }

        var all: [KeyedDecodingContainer<CodingKeys>] { lock.withLock { containers } }
    }
}

@Suite("Restoring of entities")
struct RestoringTests {
    @Test("Entities that several threads decode are in the order of insertion, and errors in that of the records")
    func order() async throws {
        let folder = TemporaryFolder()
        let old = try await openCache(FileStore(at: folder.url), for: [Old.Note.self])
        let notes = (0..<8_000).map { number in
            let text = number % 500 == 7 ? "refused" : String(repeating: "text \(number) ", count: 50)
            return Old.Note(id: "\(number)", text: text)
        }
        old.set(contentsOf: notes)
        try await old.store?.close()
        let refusedNotes = Set(notes.filter { $0.text == "refused" }.map(\.id))
        let refused = try withStore(FileStore(at: folder.url)) { store in
            var ids: [String] = []
            try store.read([RecordGroup(.entities, of: "Note")]) { _, records in
                ids += try records.map { try RecordKey.id(as: String.self, from: $0.key) }
            }
            return ids.filter { refusedNotes.contains($0) }
        }
        for _ in 0..<3 {
            let errors = Errors()
            let new = try await openCache(FileStore(at: folder.url), for: [New.Note.self], errors: errors)
            let kept = notes.map(\.id).filter { !refusedNotes.contains($0) }
            #expect(new.allValues(of: New.Note.self, inOrder: true).map(\.id) == kept)
            #expect(errors.texts.map { String($0.split(separator: "\"")[1]) } == refused)
            try await new.store?.close()
        }
    }

    @Test("An entity with another identifier than its record is reported")
    func otherIdentifier() async throws {
        let folder = TemporaryFolder()
        let old = try await openCache(FileStore(at: folder.url), for: [Old.Note.self])
        old.set(contentsOf: [Old.Note(id: "a", text: "moved"), Old.Note(id: "b", text: "")])
        try await old.store?.close()
        let errors = Errors()
        let new = try await openCache(FileStore(at: folder.url), for: [New.Note.self], errors: errors)
        #expect(new.allValues(of: New.Note.self) == [New.Note(id: "b", text: "")])
        #expect(errors.texts.map { $0.contains("\"a\" can't be read from the store: the entity has an") } == [true])
    }

    @Test(
        "Texts of all lengths and alphabets are identifiers",
        arguments: [
            "", "a", "\u{E9}", "e\u{301}", "日本", String(repeating: "x", count: 95), String(repeating: "x", count: 96),
        ]
    )
    func textualIdentifiers(id: String) async throws {
        let folder = TemporaryFolder()
        let errors = Errors()
        var cache = try await openCache(FileStore(at: folder.url), errors: errors)
        cache.set(Author(id: id, name: "Ada"))
        cache = try await cache.restarted(FileStore(at: folder.url), errors: errors)
        #expect(cache.allValues(of: Author.self) == [Author(id: id, name: "Ada")])
        #expect(errors.texts == [])
    }

    @Test("What is stored can be of a type that records have a tag for")
    func scalarForms() async throws {
        let folder = TemporaryFolder()
        let errors = Errors()
        let types: [any Storable.Type] = [Day.self, Page.self]
        let cache = try await openCache(FileStore(at: folder.url), for: types, errors: errors)
        let page = Page(id: try #require(URL(string: "https://example.org/a?b")))
        cache.set(contentsOf: [Day(id: 1), Day(id: 2)])
        cache.set(page)
        try await cache.store?.close()
        let restarted = try await openCache(FileStore(at: folder.url), for: types, errors: errors)
        #expect(restarted.allValues(of: Day.self, inOrder: true) == [Day(id: 1), Day(id: 2)])
        #expect(restarted.allValues(of: Page.self) == [page])
        #expect(errors.texts == [])
    }

    @Test("A container that a type has kept is empty afterwards, and the entities after it are whole")
    func keptContainers() async throws {
        let folder = TemporaryFolder()
        let cache = try await openCache(FileStore(at: folder.url), for: [Keeper.self])
        let keepers = (0..<100).map { Keeper(id: $0) }
        cache.set(contentsOf: keepers)
        try await cache.store?.close()
        let restarted = try await openCache(FileStore(at: folder.url), for: [Keeper.self])
        #expect(restarted.allValues(of: Keeper.self, inOrder: true) == keepers)
        let kept = Keeper.kept.all
        #expect(kept.count == 50)
        // Other threads read records with the same readers meanwhile.
        async let again = openCache(FileStore(at: folder.url), for: [Keeper.self], .readOnly)
        for container in kept {
            #expect(throws: DecodingError.self) { try container.decode(String.self, forKey: .name) }
        }
        #expect(try await again.allValues(of: Keeper.self, inOrder: true) == keepers)
    }
}
