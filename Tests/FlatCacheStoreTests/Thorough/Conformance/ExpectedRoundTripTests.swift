import FlatCache
import FlatCacheStore
import FlatCacheStoreTesting
import Testing

@Suite struct ExpectedRoundTripTests {
    @Test("An entity that is restored as it was passes")
    func passes() throws {
        try expectRoundTrip(Note(id: "1", text: "", tags: ["a", "b"], parent: nil))
        try expectRoundTrip(Note(id: "e\u{301}", text: "👩‍👩‍👧‍👦\u{0}", tags: [], parent: "1"))
    }

    @Test("An entity whose type isn't Equatable passes")
    func passesWithoutEquatable() throws {
        try expectRoundTrip(Page(id: .init(number: 7)))
    }

    @Test("A property that isn't encoded is found")
    func findsLostProperty() {
        let failure = #expect(throws: StoreCheckFailure.self) { try expectRoundTrip(Forgetful(id: 1, text: "a")) }
        #expect(
            failure?.description == """
                The entity 'Forgetful' with the identifier 1: expected the restored entity to be \
                Forgetful(id: 1, text: "a"), but found Forgetful(id: 1, text: "")
                """
        )
    }

    @Test("An identifier that differs is found")
    func findsOtherIdentifier() {
        let failure = #expect(throws: StoreCheckFailure.self) { try expectRoundTrip(Renumbered(id: 1)) }
        #expect(failure?.expected == "the restored entity to have the identifier 1")
        #expect(failure?.found == "2")
    }

    @Test("Identifiers that are equal and encoded differently are found")
    func findsUnstableKey() {
        let failure = #expect(throws: StoreCheckFailure.self) { try expectRoundTrip(Named(id: .init(text: "Ada"))) }
        #expect(failure?.expected == "equal identifiers to be encoded to equal bytes")
    }

    @Test("An encoding that changes each time is found")
    func findsUnstableEncoding() {
        let failure = #expect(throws: StoreCheckFailure.self) { try expectRoundTrip(Unstable(id: 1)) }
        #expect(failure?.expected == "a second encoding of the entity to give the same bytes")
    }

    @Test("An error of decoding is described")
    func describesError() {
        let failure = #expect(throws: StoreCheckFailure.self) { try expectRoundTrip(Undecodable(id: 1)) }
        #expect(failure?.expected == "decoding the entity to throw no error")
        #expect(failure?.found == "the error 'Problem()'")
    }
}

// MARK: - Entities

private struct Note: Storable, Codable, Equatable {
    static let storedName = "Note"
    let id: String
    var text: String
    var tags: [String]
    var parent: String?
}

private struct Page: Storable, Codable {
    struct ID: Hashable, Codable, Sendable { let number: Int }
    static let storedName = "Page"
    let id: ID
}

private struct Forgetful: Storable, Codable, Equatable {
    enum CodingKeys: CodingKey { case id }
    static let storedName = "Forgetful"
    let id: Int
    var text = ""
}

private struct Renumbered: Storable {
    static let storedName = "Renumbered"
    let id: Int
    var storedForm: Int { id }

    init(id: Int) { self.id = id }
    init(storedForm: Int) { id = storedForm + 1 }
}

private struct Named: Storable, Codable {
    /// An identifier that is compared without the case of letters, which its encoding has and its decoding changes.
    struct ID: Hashable, Codable, Sendable {
        let text: String

        init(text: String) { self.text = text }
        init(from decoder: any Decoder) throws {
            text = try decoder.singleValueContainer().decode(String.self).uppercased()
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(text)
        }
        static func == (first: Self, second: Self) -> Bool { first.text.lowercased() == second.text.lowercased() }
        func hash(into hasher: inout Hasher) { hasher.combine(text.lowercased()) }
    }

    static let storedName = "Named"
    let id: ID
}

private struct Unstable: Storable, Codable {
    static let storedName = "Unstable"
    let id: Int

    init(id: Int) { self.id = id }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(id)
        try container.encode(UInt64.random(in: 0 ... .max))
    }
    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        id = try container.decode(Int.self)
    }
}

private struct Undecodable: Storable {
    struct Problem: Error {}
    static let storedName = "Undecodable"
    let id: Int
    var storedForm: Int { id }

    init(id: Int) { self.id = id }
    init(storedForm: Int) throws { throw Problem() }
}
