import FlatCache
import FlatCacheStore
import FlatCacheStoreTesting
import Foundation
import GRDBStore
import Testing

struct Plant: Storable, Codable, Equatable {
    static let storedName = "Plant"
    let id: String
    var height: Double
    var place: String?
}

@Suite struct CacheTests {
    @Test("A cache has its entities, lists and references again after it was closed")
    func cacheIsRestored() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let fern = Plant(id: "fern", height: 0.4, place: nil)
        let rose = Plant(id: "rose", height: 1.2, place: "wall")

        let first = try await FlatCache(store: GRDBStore(at: folder), for: Plant.self)
        first.set(contentsOf: [fern, rose, Plant(id: "moss", height: 0.01, place: nil)])
        first.update(Plant.self, id: "fern") { $0.height = 0.5 }
        first.remove(Plant.self, id: "moss")
        first.list("tallest", of: Plant.self).append(ids: ["rose", "fern"])
        try await first.store?.close()

        let second = try await FlatCache(store: GRDBStore(at: folder), for: Plant.self)
        #expect(second.get(Plant.self, id: "fern")?.height == 0.5)
        #expect(second.get(Plant.self, id: "rose") == rose)
        #expect(second.get(Plant.self, id: "moss") == nil)
        #expect(Array(second.list("tallest", of: Plant.self).ids) == ["rose", "fern"])
        try await second.store?.close()
    }

    @Test("Plants are the same after they were stored")
    func plantsAreStored() throws {
        try expectRoundTrip(Plant(id: "fern", height: 0.4, place: nil))
        try expectRoundTrip(Plant(id: "", height: -.infinity, place: "Glasshouse\n№ 3"))
    }
}
