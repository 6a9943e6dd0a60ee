import Foundation
import Testing

@testable import FlatCacheStore

/// Values are given back unchanged.
@Suite struct RecordRoundTripTests {
    @Test(
        "Whole numbers of all widths keep their values",
        arguments: [Int64.min, -70_000, -129, -1, 0, 31, 32, 255, 256, .max]
    )
    func wholeNumbers(number: Int64) throws {
        try expectRoundTrip(number)
        try expectRoundTrip(Int(number))
        try expectRoundTrip(Int128(number) << 60)
        try expectRoundTrip(UInt64(bitPattern: number))
        try expectRoundTrip(UInt(UInt64(bitPattern: number)))
        try expectRoundTrip(UInt128(UInt64(bitPattern: number)) << 64)
        try expectRoundTrip(Int32(truncatingIfNeeded: number))
        try expectRoundTrip(UInt32(truncatingIfNeeded: number))
        try expectRoundTrip(Int16(truncatingIfNeeded: number))
        try expectRoundTrip(UInt16(truncatingIfNeeded: number))
        try expectRoundTrip(Int8(truncatingIfNeeded: number))
        try expectRoundTrip(UInt8(truncatingIfNeeded: number))
    }

    @Test("The limits of the widest numbers are kept")
    func widestNumbers() throws {
        for number in [Int128.min, .max, -1, 0] { try expectRoundTrip(number) }
        for number in [UInt128.max, 1 << 127, 0] { try expectRoundTrip(number) }
    }

    @Test(
        "Numbers with a fraction keep all bits",
        arguments: [
            0.0, -0.0, 0.1, .greatestFiniteMagnitude, .leastNonzeroMagnitude, .infinity, -.infinity, .nan,
            .signalingNaN,
        ]
    )
    func fractions(number: Double) throws {
        #expect(try roundTrip(number).bitPattern == number.bitPattern)
        #expect(try roundTrip([number]).map(\.bitPattern) == [number.bitPattern])
        let payload = Double(bitPattern: 0x7FF8_0000_DEAD_BEEF)
        #expect(try roundTrip(payload).bitPattern == payload.bitPattern)
        let float = Float(number)
        #expect(try roundTrip(float).bitPattern == float.bitPattern)
        #expect(try roundTrip([float]).map(\.bitPattern) == [float.bitPattern])
    }

    @Test("A date keeps all bits of its seconds")
    func dates() throws {
        for seconds in [0, 0.1, 807_000_000.777_123_4, -1e300, .infinity] {
            try expectRoundTrip(Date(timeIntervalSinceReferenceDate: seconds))
        }
    }

    @Test("Texts of all lengths and scripts keep their scalars")
    func texts() throws {
        for count in [0, 1, 15, 16, 94, 95, 96, 127, 128, 129, 20_000] {
            try expectRoundTrip(String(repeating: "a", count: count))
            try expectRoundTrip(String(repeating: "é", count: count / 2))
        }
        for text in ["e\u{301}", "\u{E9}", "👩‍👩‍👧", "\0", "\u{FFFD}", "日本語のとても長い文字列"] {
            #expect(Array(try roundTrip(text).unicodeScalars) == Array(text.unicodeScalars))
        }
    }

    @Test("Types of Foundation are kept")
    func foundation() throws {
        try expectRoundTrip(UUID())
        try expectRoundTrip(Data())
        try expectRoundTrip(Data((0...255).map { UInt8($0) }))
        try expectRoundTrip(Data([1, 2, 3, 4]).dropFirst(2))
        try expectRoundTrip(try #require(URL(string: "https://example.com/a%20b?c=d#e")))
        try expectRoundTrip(URL(fileURLWithPath: "/folder/a b"))
        let base = try #require(URL(string: "https://example.com/a/"))
        let relative = try #require(URL(string: "b?c", relativeTo: base))
        try expectRoundTrip(relative)
        #expect(try roundTrip(relative).baseURL == base)
        try expectRoundTrip(DateComponents(year: 2026, month: 8))
        try expectRoundTrip(IndexSet([1, 2, 9]))
        try expectRoundTrip(CharacterSet.decimalDigits)
        try expectRoundTrip(Locale(identifier: "de_DE"))
        try expectRoundTrip(Measurement(value: 1.5, unit: UnitLength.meters))
    }

    @Test(
        "A decimal number is exact",
        arguments: [
            "0", "1", "-1", "0.1", "-123.4500", "120", "1e100", "99999999999999999999999999999999999999",
            "340282366920938463463374607431768211455", "-3402823669209384634633746074317682114.55", "1e-127", "5e127",
        ]
    )
    func decimals(text: String) throws {
        try expectRoundTrip(try #require(Decimal(string: text)))
    }

    @Test("A decimal number that isn't a number is kept")
    func decimalNaN() throws {
        #expect(try roundTrip(Decimal.nan).isNaN)
    }

    @Test("Collections are kept, with keys of all kinds")
    func collections() throws {
        try expectRoundTrip([Int]())
        try expectRoundTrip([[1], [], [2, 3]])
        try expectRoundTrip(Set(["a", "b"]))
        try expectRoundTrip(["a": 1, "": 2, "é": 3])
        try expectRoundTrip([1: "a", -5: "b"])
        try expectRoundTrip([Mood.calm: 1, .busy: 2])
        try expectRoundTrip([1.5: "a"])
        try expectRoundTrip([UUID(): Date.distantPast])
        try expectRoundTrip(Array(0..<1_000))
        try expectRoundTrip(Dictionary(uniqueKeysWithValues: (0..<1_000).map { ("key \($0)", $0) }))
        try expectRoundTrip(1..<5)
        try expectRoundTrip([Int?.none, 1])
        try expectRoundTrip(["a": Int?.none, "b": 1])
    }

    @Test("Enumerations are kept, with raw values and with associated values")
    func enumerations() throws {
        try expectRoundTrip(Mood.busy)
        try expectRoundTrip(Figure.point)
        try expectRoundTrip(Figure.circle(radius: 1.5))
        try expectRoundTrip(Figure.named("a", .group([.point, .circle(radius: 2), .named("b", .point)])))
    }

    @Test("Recursive types, classes and property wrappers are kept")
    func otherTypes() throws {
        try expectRoundTrip(
            Comment(text: "a", replies: [Comment(text: "b", replies: []), Comment(text: "c", replies: [])])
        )
        try expectRoundTrip(Wrapped(count: 5, names: ["a"]))
        try expectRoundTrip(Empty())
        let dog = try roundTrip(Dog(name: "Rex", age: 3))
        #expect(dog.name == "Rex" && dog.age == 3)
        let cat = try roundTrip(Cat(name: "Tom", lives: 9))
        #expect(cat.name == "Tom" && cat.lives == 9)
    }

    @Test("An optional is kept as a member, as an element and alone")
    func optionals() throws {
        #expect(try roundTrip(Int?.none) == nil)
        #expect(try roundTrip(Int?.some(1)) == 1)
        #expect(try roundTrip(Int??.some(.some(1))) == 1)
    }
}

struct Empty: Codable, Equatable {}

struct Wrapped: Codable, Equatable {
    @Limited var count: Int
    @Limited var names: [String]
}

@propertyWrapper struct Limited<Value: Codable & Equatable>: Codable, Equatable {
    var wrappedValue: Value
}

class Animal: Codable {
    var name: String

    init(name: String) { self.name = name }
}

/// A class that encodes itself and its superclass in one container.
final class Dog: Animal {
    var age: Int

    private enum CodingKeys: String, CodingKey { case age }

    init(name: String, age: Int) {
        self.age = age
        super.init(name: name)
    }

    required init(from decoder: any Decoder) throws {
        age = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .age)
        try super.init(from: decoder)
    }

    override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try super.encode(to: encoder)
        try container.encode(age, forKey: .age)
    }
}

/// A class that encodes its superclass by a super encoder.
final class Cat: Animal {
    var lives: Int

    private enum CodingKeys: String, CodingKey { case lives }

    init(name: String, lives: Int) {
        self.lives = lives
        super.init(name: name)
    }

    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        lives = try container.decode(Int.self, forKey: .lives)
        try super.init(from: container.superDecoder())
    }

    override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        let superEncoder = container.superEncoder()
        try container.encode(lives, forKey: .lives)
        try super.encode(to: superEncoder)
    }
}
