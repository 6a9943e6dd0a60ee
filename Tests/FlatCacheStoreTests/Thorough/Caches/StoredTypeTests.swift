import FlatCache
import Foundation
import Testing

@testable import FlatCacheStore

/// Versions of one type, as a program has them one after the other.
private enum First {
    struct Item: Storable, Codable, Equatable {
        static let storedName = "Item"
        let id: Int
        var headline: String
        var size: Int
    }
}

private enum Second {
    struct Item: Storable, Codable, Equatable {
        static let storedName = "Item"
        static let storedVersion = 2
        let id: Int
        var size: Int?
        var title: String
        var isNew: Bool?

        static func migrate(_ members: inout StoredMembers, from version: Int) throws {
            if version < 2 { members.rename("headline", to: "title") }
            if try members["title", as: String.self] == "refused" { throw Refusal() }
        }
    }

    struct Refusal: Error, CustomStringConvertible {
        var description: String { "it is refused" }
    }
}

private struct OtherItem: Storable, Codable {
    static let storedName = "Item"
    let id: Int
}

/// A type whose stored form is another one.
private struct Reading: Storable, Equatable {
    static let storedName = "Reading"
    let id: Int
    var celsius: Double

    struct Form: Codable {
        var id: Int
        var kelvin: Double
    }

    var storedForm: Form { Form(id: id, kelvin: celsius + 273) }

    init(id: Int, celsius: Double) {
        self.id = id
        self.celsius = celsius
    }

    init(storedForm: Form) throws {
        if storedForm.kelvin < 0 { throw Second.Refusal() }
        self.init(id: storedForm.id, celsius: storedForm.kelvin - 273)
    }
}

@Suite("Types in a store")
struct StoredTypeTests {
    @Test("Entities of an older version are migrated, and one that can't be remains in the store")
    func migration() async throws {
        let folder = TemporaryFolder()
        let old = try await openCache(FileStore(at: folder.url), for: [First.Item.self])
        old.set(contentsOf: [
            First.Item(id: 1, headline: "one", size: 9), First.Item(id: 2, headline: "refused", size: 0),
        ])
        try await old.store?.close()
        for _ in 0..<2 {
            let errors = Errors()
            let new = try await openCache(FileStore(at: folder.url), for: [Second.Item.self], errors: errors)
            #expect(new.allValues(of: Second.Item.self) == [Second.Item(id: 1, size: 9, title: "one")])
            #expect(
                errors.texts == [
                    """
                    The entity 'Item' 2 can't be read from the store: it is refused. It stays in the store. Read it by \
                    'migrate(_:from:)' of a new 'storedVersion', or store it again
                    """
                ]
            )
            try await new.store?.close()
        }
    }

    @Test("A store of a newer version isn't opened or changed")
    func newerVersion() async throws {
        let folder = TemporaryFolder()
        let new = try await openCache(FileStore(at: folder.url), for: [Second.Item.self])
        new.set(Second.Item(id: 1, title: "one"))
        try await new.store?.close()
        let error = await #expect(throws: StoreError.self) {
            try await openCache(FileStore(at: folder.url), for: [First.Item.self])
        }
        #expect(
            error.map { "\($0)" } == """
                The store has entities of version 2 of 'Item', and this program knows version 1. Update the program; nothing was \
                changed in the store
                """
        )
        let again = try await openCache(FileStore(at: folder.url), for: [Second.Item.self])
        #expect(again.allValues(of: Second.Item.self) == [Second.Item(id: 1, title: "one")])
    }

    @Test("An older program opens a store as long as no entity of the newer version is stored")
    func sameVersion() async throws {
        let folder = TemporaryFolder()
        let old = try await openCache(FileStore(at: folder.url), for: [First.Item.self])
        old.set(First.Item(id: 1, headline: "one", size: 9))
        try await old.store?.close()
        let new = try await openCache(FileStore(at: folder.url), for: [Second.Item.self])
        new.list("a", of: Second.Item.self).append(ids: [1])
        try await new.store?.close()
        let again = try await openCache(FileStore(at: folder.url), for: [First.Item.self])
        #expect(again.allValues(of: First.Item.self) == [First.Item(id: 1, headline: "one", size: 9)])
    }

    @Test("A version that can't be stored is an error")
    func invalidVersion() async throws {
        struct Negative: Storable, Codable {
            static let storedName = "Negative"
            static let storedVersion = -1
            let id: Int
        }
        let error = await #expect(throws: StoreError.self) {
            try await openCache(FileStore(at: TemporaryFolder().url), for: [Negative.self])
        }
        #expect(error.map { "\($0)" } == "The 'storedVersion' of 'Negative' is -1. Use a number from 0 to 4294967295")
    }

    @Test("A name that no file can have is an error, and a name of the longest length isn't")
    func longName() async throws {
        struct Short: Storable, Codable {
            static let storedName = String(repeating: "n", count: 65_535)
            let id: Int
        }
        struct Long: Storable, Codable {
            static let storedName = String(repeating: "n", count: 65_536)
            let id: Int
        }
        let folder = TemporaryFolder()
        let error = await #expect(throws: StoreError.self) {
            try await openCache(FileStore(at: folder.url), for: [Long.self])
        }
        #expect(
            error.map { "\($0)" }
                == "The 'storedName' of 'Long' has 65536 bytes in UTF-8. Use a name of at most 65535 bytes"
        )
        let cache = try await openCache(FileStore(at: folder.url), for: [Short.self])
        cache.set(Short(id: 1))
        try await cache.flush()
        try await cache.store?.close()
        let restored = try await openCache(FileStore(at: folder.url), for: [Short.self])
        #expect(restored.count(of: Short.self) == 1)
    }

    @Test("Any time can be between a change and its batch", arguments: [Int64.max, 1 << 34, -5, .min])
    func delays(seconds: Int64) async throws {
        let folder = TemporaryFolder()
        let cache = try await openCache(FileStore(at: folder.url), after: .seconds(seconds))
        cache.set(Memo(1))
        try await cache.flush()
        cache.set(Memo(2))
        try await cache.store?.close()
        #expect(try await openCache(FileStore(at: folder.url)).count(of: Memo.self) == 2)
    }

    @Test("An entity that can't be read is removed from the store", arguments: [false, true])
    func unreadable(isNews: Bool) async throws {
        let folder = TemporaryFolder()
        func openOld() async throws -> FlatCache {
            try await openCache(FileStore(at: folder.url), for: [First.Item.self])
        }
        func openNew() async throws -> FlatCache {
            try await openCache(FileStore(at: folder.url), for: [Second.Item.self])
        }
        func write(to old: FlatCache) async throws {
            old.set(First.Item(id: 1, headline: "refused", size: 9))
            old.set(First.Item(id: 2, headline: "two", size: 9))
            try await old.store?.close()
        }
        if !isNews { try await write(to: openOld()) }
        let new = try await openNew()
        if isNews {
            try await new.store?.suspend()
            try await write(to: openOld())
            try await new.store?.resume()
        }
        #expect(new.allValues(of: Second.Item.self).map(\.id) == [2])
        #expect(!new.isComplete(Second.Item.self))
        new.remove(Second.Item.self, id: 1)
        try await new.store?.close()
        #expect(try await openOld().allValues(of: First.Item.self).map(\.id) == [2])
    }

    @Test("A type isn't complete while the store has an entity that can't be read", arguments: [false, true])
    func incomplete(isReader: Bool) async throws {
        let folder = TemporaryFolder()
        let old = try await openCache(FileStore(at: folder.url), for: [First.Item.self])
        old.set(First.Item(id: 1, headline: "refused", size: 9))
        try await old.store?.close()
        let new = try await openCache(
            FileStore(at: folder.url),
            for: [Second.Item.self, Author.self],
            isReader ? .readOnly : .readWrite
        )
        #expect(!new.isComplete(Second.Item.self) && new.isComplete(Author.self))
        new.removeAll(of: Second.Item.self)
        #expect(new.isComplete(Second.Item.self))
    }

    @Test("Two types of one name are an error")
    func duplicateName() async throws {
        let folder = TemporaryFolder()
        let error = await #expect(throws: StoreError.self) {
            try await openCache(FileStore(at: folder.url), for: [First.Item.self, OtherItem.self])
        }
        #expect(error.map { "\($0)".hasPrefix("'Item' and 'OtherItem' have the same stored name 'Item'.") } == true)
        // The same type twice is none.
        _ = try await openCache(FileStore(at: folder.url), for: [First.Item.self, First.Item.self])
    }

    @Test("Entities of types that nobody names remain in the store")
    func otherTypes() async throws {
        let folder = TemporaryFolder()
        let all = try await openCache(FileStore(at: folder.url))
        all.set(Author(id: "7", name: "Ada"))
        all.set(Memo(1))
        try await all.store?.close()
        let some = try await openCache(FileStore(at: folder.url), for: [Memo.self])
        #expect(await some.store?.otherTypes == ["Author": 1])
        some.removeAll()
        let restarted = try await some.restarted(FileStore(at: folder.url))
        #expect(restarted.allValues(of: Author.self) == [Author(id: "7", name: "Ada")])
        #expect(restarted.count(of: Memo.self) == 0)
    }

    @Test("A type can have another stored form")
    func storedForm() async throws {
        let folder = TemporaryFolder()
        let errors = Errors()
        let cache = try await openCache(FileStore(at: folder.url), for: [Reading.self])
        cache.set(contentsOf: [Reading(id: 1, celsius: 20), Reading(id: 2, celsius: -500)])
        try await cache.store?.close()
        let restarted = try await openCache(FileStore(at: folder.url), for: [Reading.self], errors: errors)
        #expect(restarted.allValues(of: Reading.self) == [Reading(id: 1, celsius: 20)])
        #expect(
            errors.texts.map { $0.hasPrefix("The entity 'Reading' 2 can't be read from the store: it is refused.") }
                == [true]
        )
    }

    @Test("Identifiers that are equal are one record, however their text is composed")
    func canonicalEquivalence() async throws {
        let folder = TemporaryFolder()
        var cache = try await openCache(FileStore(at: folder.url))
        cache.set(Author(id: "caf\u{E9}", name: "composed"))
        cache = try await cache.restarted(FileStore(at: folder.url))
        cache.remove(Author.self, id: "cafe\u{301}")
        cache = try await cache.restarted(FileStore(at: folder.url))
        #expect(cache.count(of: Author.self) == 0)
    }

    @Test("An entity that can't be encoded is reported, and the others are written")
    func unencodable() async throws {
        struct Picky: Storable, Codable, Equatable {
            static let storedName = "Picky"
            let id: Int
            func encode(to encoder: any Encoder) throws {
                if id == 2 { throw Second.Refusal() }
                var container = encoder.singleValueContainer()
                try container.encode(id)
            }
            init(id: Int) { self.id = id }
            init(from decoder: any Decoder) throws { id = try decoder.singleValueContainer().decode(Int.self) }
        }
        let folder = TemporaryFolder()
        let errors = Errors()
        let cache = try await openCache(FileStore(at: folder.url), for: [Picky.self], errors: errors)
        cache.set(contentsOf: (1...3).map { Picky(id: $0) })
        await #expect(throws: StoreError.self) { try await cache.flush() }
        await #expect(throws: StoreError.self) { try await cache.store?.close() }
        let text = "The entity 'Picky' 2 can't be written to the store, which keeps what it had before: it is refused"
        #expect(errors.texts == [text, text])
        let restarted = try await openCache(FileStore(at: folder.url), for: [Picky.self])
        #expect(restarted.allValues(of: Picky.self, inOrder: true) == [Picky(id: 1), Picky(id: 3)])
    }
}
