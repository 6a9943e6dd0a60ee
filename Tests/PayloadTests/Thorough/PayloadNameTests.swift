import FlatCache
import Foundation
import Testing

/// An app with its own types of all names that payloads have.
private enum App {
    struct Payload {}
    struct StoredPayload {}
    struct PayloadProblem {}
    struct PayloadConvertible {}
    struct PayloadLeaf {}
    struct CacheRevision {}
    struct FlatPayload {}
    struct Omittable {}
    struct Merge {}
    enum JSONAPI {}
    protocol EntityPatch {}

    struct AccountResponse: Codable, FlatCache.EntityPatch, EntityPatch {
        let id: String
        @FlatCache.Omittable var note: String?
        var own = Own()

        struct Own: Codable, Sendable, FlatCache.PayloadLeaf {}

        func apply(to account: inout Account) { $note.assign(to: &account.note) }
    }

    struct Entity: FlatCache.Cachable, Codable, Equatable {
        let id: String
        var version: Int

        static let merge: FlatCache.Merge<Entity> = .newest(by: \.version)
    }

    static func store<Root>(
        _ payload: some FlatCache.PayloadConvertible<Root>,
        in cache: FlatCache,
        since revision: FlatCache.CacheRevision?
    ) throws(FlatCache.PayloadProblem) -> FlatCache.StoredPayload<Root> {
        try cache.store(payload, strict: true, since: revision)
    }

    static func patch(_ json: Data, in cache: FlatCache) throws -> AccountResponse? {
        let payload = try JSONDecoder().decode(FlatCache.Payload<AccountResponse>.self, from: json)
        return try store(payload, in: cache, since: nil).value
    }

    static func entities(_ flat: Data, _ document: Data, in cache: FlatCache) throws -> [Int?] {
        let flat = try JSONDecoder().decode(FlatCache.FlatPayload<Entity>.self, from: flat)
        _ = try store(flat, in: cache, since: cache.revision())
        let document = try JSONDecoder().decode(FlatCache.JSONAPI.Document<Entity>.self, from: document)
        _ = try store(document, in: cache, since: nil)
        return ["1", "2"].map { cache.get(Entity.self, id: $0)?.version }
    }

    /// Uses the app's own names.
    static var own: [Any] {
        [
            Payload(), StoredPayload(), PayloadProblem(), PayloadConvertible(), PayloadLeaf(), CacheRevision(),
            FlatPayload(),
            Omittable(), Merge(), JSONAPI.self,
        ]
    }
}

@Suite("Names of payloads")
struct PayloadNameTests {
    @Test("An app can have types with the names of the library's")
    func qualified() throws {
        let cache = FlatCache()
        cache.set(Account(id: "1", name: "A", note: "N"))
        let response = try App.patch(Data(#"{"id": "1", "note": null, "own": {}}"#.utf8), in: cache)
        #expect(response?.$note == .null && App.own.count == 10)
        #expect(cache.get(Account.self, id: "1") == Account(id: "1", name: "A"))
        let flat = #"{"entities": [{"id": "1", "version": 1}]}"#
        let document = #"{"data": {"type": "entities", "id": "2", "attributes": {"version": 2}}}"#
        #expect(try App.entities(Data(flat.utf8), Data(document.utf8), in: cache) == [1, 2])
    }
}
