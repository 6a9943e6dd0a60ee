import FlatCache
import Foundation

@testable import FlatCacheStore

/// An entity of which responses leave out properties.
struct Card: Storable, Codable, Equatable {
    static let storedName = "Card"

    let id: Int
    var title: String
    var note: String?
    var stars: Int?
    // relationship: Tally
    var tallyID: Int?
}

extension Card: FlatCache.PayloadDecodable {
    static var payloadKeys: [_PayloadKey] {
        [
            .init(id: "id", \.id), .init("title", \.title), .init("note", \.note), .init("stars", \.stars),
            .init("tallyID", \.tallyID, Tally.self, "tally"),
        ]
    }
}

/// An entity whose marks are the union of all that came in.
struct Tally: Storable, Codable, Equatable {
    static let storedName = "Tally"
    static let merge = Merge<Tally> { stored, incoming in
        Tally(id: incoming.id, marks: stored.marks.union(incoming.marks))
    }

    let id: Int
    var marks: Set<Int>
}

extension Tally: FlatCache.PayloadDecodable {
    static var payloadKeys: [_PayloadKey] { [.init(id: "id", \.id), .init("marks", \.marks)] }
}

/// A response with the stars of a card.
struct Rating: EntityPatch, Codable {
    let id: Int
    let stars: Int

    func apply(to card: inout Card) { card.stars = stars }

    func makeEntity() -> Card? { Card(id: id, title: "made") }
}

/// Decodes a response.
func payload<Root>(_ type: Root.Type, _ json: String) throws -> FlatCache.Payload<Root> {
    try JSONDecoder().decode(FlatCache.Payload<Root>.self, from: Data(json.utf8))
}

/// How entities come to be only in the store.
enum Absence: String, CaseIterable, Sendable {
    /// A limit has evicted them.
    case evicted
    /// They are kept on demand, and the cache was opened again.
    case onDemand
    /// A limit has evicted them from a cache that only reads, and so what it writes stays in its memory.
    case readOnly
}

/// A folder with cards and tallies that aren't in memory.
struct FoldingFolder {
    let folder = TemporaryFolder()
    let time = TestTime()

    /// Opens the folder.
    func open(
        _ absence: Absence,
        _ store: (any EntityStore)? = nil,
        errors: Errors = Errors()
    ) async throws -> FlatCache {
        let types: [any Storable.Type] = [Card.self, Tally.self]
        return try await openCache(
            store ?? FileStore(at: folder.url),
            for: absence == .evicted ? types : [],
            onDemand: absence == .evicted ? [] : types,
            absence == .readOnly ? .readOnly : .readWrite,
            time: time,
            errors: errors
        )
    }

    /// Opens the folder with entities that are only in the store.
    func opened(
        _ absence: Absence,
        _ store: (any EntityStore)? = nil,
        cards: [Card] = [Card(id: 1, title: "old", note: "kept", stars: 3)],
        tallies: [Tally] = [Tally(id: 1, marks: [1, 2])],
        errors: Errors = Errors()
    ) async throws -> FlatCache {
        var cache = try await open(.evicted)
        cache.set(contentsOf: cards)
        cache.set(contentsOf: tallies)
        try await cache.store?.close()
        cache = try await open(absence, store, errors: errors)
        cache.collect()
        return cache
    }

    /// The cards that another cache finds in the folder.
    func stored(after cache: FlatCache) async throws -> [Card] {
        try await cache.store?.close()
        return try await open(.evicted).allValues(of: Card.self).sorted { $0.id < $1.id }
    }
}
