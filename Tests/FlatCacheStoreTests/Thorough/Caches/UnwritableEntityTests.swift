import FlatCache
import Testing

@testable import FlatCacheStore

/// An entity that can't be encoded while its switch is off.
private struct Switched: Storable, Codable {
    static let storedName = "Switched"

    let id: Int
    var text = ""
    let isOn: Protected<Bool>

    private enum CodingKeys: CodingKey { case id, text }

    struct Refusal: Error {}

    init(id: Int, _ isOn: Protected<Bool>) {
        self.id = id
        self.isOn = isOn
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        id = try members.decode(Int.self, forKey: .id)
        text = try members.decode(String.self, forKey: .text)
        isOn = Protected(true)
    }

    func encode(to encoder: any Encoder) throws {
        guard isOn.withLock({ $0 }) else { throw Refusal() }
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(id, forKey: .id)
        try members.encode(text, forKey: .text)
    }
}

@Suite("Entities that can't be encoded", .timeLimit(.minutes(30)))
struct UnwritableEntityTests {
    /// How an entity that can't be encoded ceases to be one.
    enum End: CaseIterable {
        case encodable, changed, removed
    }

    private let place = MemoryPlace()
    private let isOn = Protected(false)

    private func open(_ errors: Errors = Errors()) async throws -> FlatCache {
        try await openCache(MemoryStore(in: place), for: [Switched.self], errors: errors)
    }

    @Test("D3: Each flush throws the error until the entity is stored, changed or removed", arguments: End.allCases)
    func flush(end: End) async throws {
        let errors = Errors()
        let cache = try await open(errors)
        cache.set(contentsOf: [Switched(id: 1, Protected(true)), Switched(id: 2, isOn)])
        for count in 1...3 {
            let error = await #expect(throws: StoreError.self) { try await cache.flush() }
            #expect(error.map { "\($0)".hasPrefix("The entity 'Switched' 2 can't be written") } == true)
            #expect(errors.all.count == count)
            cache.update(Switched.self, id: 1) { $0.text = "\(count)" }
        }
        switch end {
        case .encodable: isOn.withLock { $0 = true }
        case .changed: cache.set(Switched(id: 2, Protected(true)))
        case .removed: cache.remove(Switched.self, id: 2)
        }
        try await cache.flush()
        try await cache.store?.close()
        #expect(errors.all.count == 3)
        let ids = try await open().allValues(of: Switched.self, inOrder: true).map(\.id)
        #expect(ids == (end == .removed ? [1] : [1, 2]))
    }

    @Test("It is reported when the store is suspended, which it doesn't keep from that, and again when it is closed")
    func suspension() async throws {
        let errors = Errors()
        let cache = try await open(errors)
        cache.set(Switched(id: 2, isOn))
        try await cache.store?.suspend()
        #expect(errors.all.count == 1)
        try await cache.store?.resume()
        await #expect(throws: StoreError.self) { try await cache.store?.close() }
        #expect(errors.all.count == 2)
    }
}
