import FlatCache
import Foundation
import Testing

/// An app with its own types of the library's names.
private enum App {
    struct Omittable {}
    protocol EntityPatch {}

    struct AccountResponse: Codable, FlatCache.EntityPatch, EntityPatch {
        let id: String
        @FlatCache.Omittable var note: String?
        var own = Own()

        struct Own: Codable, Sendable {}

        func apply(to account: inout Account) { $note.assign(to: &account.note) }
    }
}

@Suite("Names of patches")
struct PatchNameTests {
    @Test("An app can have types with the names of the library's")
    func qualified() throws {
        let cache = FlatCache()
        cache.set(Account(id: "1", name: "A", note: "N"))
        let json = Data(#"{"id": "1", "note": null, "own": {}}"#.utf8)
        let payload = try JSONDecoder().decode(Payload<App.AccountResponse>.self, from: json)
        #expect(cache.store(payload).value?.$note == .null)
        #expect(cache.get(Account.self, id: "1") == Account(id: "1", name: "A"))
        _ = App.Omittable()
    }
}
