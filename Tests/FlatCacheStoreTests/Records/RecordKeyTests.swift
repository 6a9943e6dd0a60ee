import Foundation
import SeededRandom
import Testing

@testable import FlatCacheStore

/// Identifiers have bytes under which their records are found again.
@Suite struct RecordKeyTests {
    private func expectKept<ID: Codable & Equatable>(_ id: ID, sourceLocation: SourceLocation = #_sourceLocation) throws
    {
        let bytes = try RecordKey.bytes(of: id)
        #expect(try RecordKey.id(as: ID.self, from: bytes[...]) == id, sourceLocation: sourceLocation)
    }

    @Test("Identifiers of all kinds are kept")
    func kept() throws {
        try expectKept("abc")
        try expectKept("e\u{301}")
        try expectKept(-5)
        try expectKept(UInt8(7))
        try expectKept(UUID())
        try expectKept(StatusID(domain: "mastodon.social", number: 5))
        try expectKept(Figure.named("a", .group([.point])))
        try expectKept(["a": [1], "b": []])
        try expectKept(Set([1.5, 2.5]))
        try expectKept(try #require(URL(string: "https://example.com/a")))
    }

    @Test("S4: Different identifiers have different bytes")
    func different() throws {
        let numbers = try (-300...300).map { try RecordKey.bytes(of: $0) }
        let texts = try (-300...300).map { try RecordKey.bytes(of: String($0)) }
        let pairs = try (-300...300).map { try RecordKey.bytes(of: StatusID(domain: "\($0 / 10)", number: $0)) }
        #expect(Set(numbers + texts + pairs).count == 3 * 601)
    }

    @Test("Texts that are canonically equivalent have equal bytes", arguments: Seeds.first(20, full: 1_000))
    func canonicalTexts(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let scalars = "aé\u{301}\u{323}\u{308}ñ각\u{1100}\u{1161}\u{11A8}Å\u{212B}Ω\u{2126}漢\u{F900}👍".unicodeScalars.map
        { $0 }
        for _ in 0..<50 {
            var text = String.UnicodeScalarView()
            for _ in 0..<random.below(12) { text.append(random.pick(from: scalars)) }
            let composed = String(text)
            let decomposed = composed.decomposedStringWithCanonicalMapping
            #expect(composed == decomposed)
            #expect(try RecordKey.bytes(of: composed) == RecordKey.bytes(of: decomposed))
            #expect(try RecordKey.bytes(of: [composed: [1]]) == RecordKey.bytes(of: [decomposed: [1]]))
            let ids = [StatusID(domain: composed, number: 1), StatusID(domain: decomposed, number: 1)]
            #expect(try RecordKey.bytes(of: ids[0]) == RecordKey.bytes(of: ids[1]))
        }
    }

    @Test("Equal sets and dictionaries have equal bytes")
    func unordered() throws {
        var random = SeededGenerator(seed: 1)
        for count in 0..<20 {
            let numbers = (0..<count).map { $0 * 7 }
            let reserved = Set<Int>(minimumCapacity: 100).union(numbers.shuffled(using: &random))
            #expect(try RecordKey.bytes(of: Set(numbers)) == RecordKey.bytes(of: reserved))
            var pairs = [UUID: Set<Int>](minimumCapacity: 100)
            for number in numbers.shuffled(using: &random) {
                pairs[UUID(uuid: (UInt8(number), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))] = [number, 1, 2, 3]
            }
            let copy = Dictionary(uniqueKeysWithValues: pairs.shuffled(using: &random).map { ($0, $1) })
            #expect(try RecordKey.bytes(of: [pairs]) == RecordKey.bytes(of: [copy]))
            let names = Dictionary(uniqueKeysWithValues: numbers.map { ("name \($0)", $0) })
            let shuffled = Dictionary(uniqueKeysWithValues: names.shuffled(using: &random).map { ($0, $1) })
            #expect(try RecordKey.bytes(of: names) == RecordKey.bytes(of: shuffled))
        }
    }

    @Test("Equal numbers have equal bytes")
    func numbers() throws {
        #expect(try RecordKey.bytes(of: 0.0) == RecordKey.bytes(of: -0.0))
        #expect(try RecordKey.bytes(of: [Float(0)]) == RecordKey.bytes(of: [-Float(0)]))
        #expect(
            try RecordKey.bytes(of: Decimal(10) / 4)
                == RecordKey.bytes(of: Decimal(sign: .plus, exponent: -2, significand: 250))
        )
    }

    @Test("The order in which members are encoded doesn't matter, only the last value of each")
    func order() throws {
        let first = ByHand { encoder in
            var members = encoder.container(keyedBy: Letter.self)
            var nested = members.nestedUnkeyedContainer(forKey: .b)
            try members.encode(1, forKey: .a)
            try nested.encode(2)
            try members.encode(3, forKey: .c)
        }
        let second = ByHand { encoder in
            var members = encoder.container(keyedBy: NameKey.self)
            try members.encode(3, forKey: NameKey("c"))
            try members.encode("x", forKey: NameKey("a"))
            try members.encode([2], forKey: NameKey("b"))
            try members.encode(1, forKey: NameKey("a"))
        }
        #expect(try RecordKey.bytes(of: first) == RecordKey.bytes(of: second))
    }

    @Test("Bytes of another identifier are an error")
    func wrong() throws {
        let bytes = try RecordKey.bytes(of: "a")
        #expect(throws: DecodingError.self) { try RecordKey.id(as: Int.self, from: bytes[...]) }
        #expect(throws: DecodingError.self) { try RecordKey.id(as: String.self, from: []) }
    }
}

private struct StatusID: Codable, Hashable {
    var domain: String
    var number: Int
}
