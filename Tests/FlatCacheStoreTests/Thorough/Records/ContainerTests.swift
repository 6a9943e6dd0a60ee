import Foundation
import Testing

@testable import FlatCacheStore

/// Types that encode and decode themselves by hand get what the standard library promises.
@Suite struct ContainerTests {
    @Test("Nested containers can be written in any order")
    func interleaved() throws {
        let value = ByHand { encoder in
            var members = encoder.container(keyedBy: NameKey.self)
            var first = members.nestedContainer(keyedBy: NameKey.self, forKey: NameKey("first"))
            var list = members.nestedUnkeyedContainer(forKey: NameKey("list"))
            try members.encode(1, forKey: NameKey("a"))
            try list.encode("x")
            var inner = list.nestedContainer(keyedBy: NameKey.self)
            var deepest = first.nestedUnkeyedContainer(forKey: NameKey("deepest"))
            try members.encode(2, forKey: NameKey("b"))
            try deepest.encode(true)
            try inner.encode("y", forKey: NameKey("z"))
            try list.encodeNil()
            try first.encode(3, forKey: NameKey("c"))
            try deepest.encode(contentsOf: [1, 2])
            try members.superEncoder(forKey: NameKey("other")).encodeValue(4)
            try list.superEncoder().encodeValue(5)
        }
        #expect(
            try Coding().text(value)
                == #"{"first":{"deepest":[true,1,2],"c":3},"list":["x",{"z":"y"},null,5],"a":1,"b":2,"other":4}"#
        )
    }

    @Test("The same order with the keys of an enumeration gives the same")
    func interleavedShapes() throws {
        let value = ByHand { encoder in
            var members = encoder.container(keyedBy: Letter.self)
            var nested = members.nestedContainer(keyedBy: Letter.self, forKey: .b)
            try members.encode("1", forKey: .a)
            try nested.encode("2", forKey: .c)
            _ = members.superEncoder()
            // A name as in a dictionary, and then all names of the object are its own.
            var others = encoder.container(keyedBy: NameKey.self)
            try others.encode("3", forKey: NameKey("d"))
            try nested.encode(["4"], forKey: .a)
            try members.encode("5", forKey: .c)
        }
        #expect(try Coding().text(value) == #"{"b":{"c":"2","a":["4"]},"a":"1","super":{},"d":"3","c":"5"}"#)
    }

    @Test("Of a member that is encoded twice, the last value is kept")
    func twice() throws {
        let value = ByHand { encoder in
            var members = encoder.container(keyedBy: Letter.self)
            try members.encode(1, forKey: .a)
            try members.encode("long before", forKey: .b)
            try members.encode([2], forKey: .a)
            var nested = members.nestedUnkeyedContainer(forKey: .b)
            try nested.encode(3)
        }
        let coding = Coding()
        #expect(try coding.text(value) == #"{"a":[2],"b":[3]}"#)
        #expect(coding.encoder.shapes.count == 0)
    }

    @Test("A nested container that is asked for again is the same, as of JSONEncoder")
    func again() throws {
        let value = ByHand { encoder in
            for key in [Letter.a, .b] {
                var members = encoder.container(keyedBy: Letter.self)
                var nested = members.nestedContainer(keyedBy: Letter.self, forKey: .c)
                try nested.encode(1, forKey: key)
                var list = members.nestedUnkeyedContainer(forKey: .d)
                try list.encode(2)
            }
        }
        let text = #"{"c":{"a":1,"b":1},"d":[2,2]}"#
        #expect(try Coding().text(value) == text)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(try String(decoding: encoder.encode(value), as: UTF8.self) == text)
    }

    @Test("A type can catch the error of a value and encode another")
    func caught() throws {
        let value = ByHand { encoder in
            var members = encoder.container(keyedBy: Letter.self)
            try members.encode(1, forKey: .a)
            #expect(throws: Unencodable.self) { try members.encode(Failing(), forKey: .b) }
            try members.encode(2, forKey: .c)
            var list = members.nestedUnkeyedContainer(forKey: .b)
            #expect(throws: Unencodable.self) { try list.encode(Failing()) }
            #expect(list.count == 0)
            try list.encode(
                ByHand { encoder in
                    let value = encoder.singleValueContainer()
                    #expect(throws: Unencodable.self) {
                        var value = value
                        try value.encode(Failing())
                    }
                    try encoder.encodeValue(3)
                }
            )
        }
        #expect(try Coding().text(value) == #"{"a":1,"c":2,"b":[3]}"#)
    }

    @Test("A decoder finds keys, null and missing members")
    func asked() throws {
        let coding = Coding()
        let record = try coding.record(of: Optionals(a: nil, b: 5, c: .some(nil)))
        _ = try coding.decode(Asking.self, from: record) { members in
            #expect(Set(members.allKeys) == [.b, .c])
            #expect(!members.contains(.a) && members.contains(.b) && members.contains(.c) && !members.contains(.d))
            #expect(try members.decodeIfPresent(Int.self, forKey: .a) == nil)
            #expect(try members.decodeIfPresent(Int.self, forKey: .c) == nil)
            #expect(try members.decodeIfPresent(Int.self, forKey: .d) == nil)
            #expect(try members.decodeIfPresent([Int].self, forKey: .a) == nil)
            #expect(try members.decodeNil(forKey: .c))
            #expect(try !members.decodeNil(forKey: .b))
            #expect(throws: DecodingError.self) { try members.decodeNil(forKey: .a) }
            #expect(try members.decode(Int.self, forKey: .b) == 5)
            #expect(try members.decode(Int.self, forKey: .b) == 5)
            #expect(try members.decode(Int?.self, forKey: .c) == nil)
            let missing = try members.superDecoder(forKey: .d)
            #expect(try missing.singleValueContainer().decodeNil())
            #expect(missing.codingPath.path == ".d")
        }
    }

    @Test("An array has a count and an index, and a failed element can be decoded again")
    func elements() throws {
        let coding = Coding()
        let record = try coding.record(of: [1, 2, 300])
        _ = try coding.decode(AskingElements.self, from: record) { list in
            #expect(list.count == 3 && list.currentIndex == 0 && !list.isAtEnd)
            try #expect(list.decode(Int.self) == 1)
            #expect(throws: DecodingError.self) { try list.decode(String.self) }
            try #expect(!list.decodeNil())
            #expect(list.count == 3 && list.currentIndex == 1)
            try #expect(list.decode(Int.self) == 2)
            #expect(throws: DecodingError.self) { try list.decode(UInt8.self) }
            try #expect(list.superDecoder().singleValueContainer().decode(Int16.self) == 300)
            #expect(list.isAtEnd && list.currentIndex == 3)
            #expect(throws: DecodingError.self) { try list.decode(Int.self) }
            #expect(throws: DecodingError.self) { try list.decodeNil() }
        }
    }

    @Test("Types find what the user gives them, also in nested containers")
    func userInfo() throws {
        let key = try #require(CodingUserInfoKey(rawValue: "key"))
        let encoder = RecordEncoder(userInfo: [key: "value"])
        var bytes: [UInt8] = []
        let value = ByHand { encoder in
            #expect(encoder.userInfo[key] as? String == "value")
            var members = encoder.container(keyedBy: Letter.self)
            #expect(members.superEncoder().userInfo[key] as? String == "value")
        }
        try encoder.encode(value, into: &bytes)
        let decoder = RecordDecoder(
            shapes: encoder.shapes,
            userInfo: [
                key: "value",
                .asking: Asked { members in
                    try #expect(members.superDecoder().userInfo[key] as? String == "value")
                    try #expect(members.superDecoder(forKey: .d).userInfo[key] as? String == "value")
                },
            ]
        )
        _ = try decoder.decode(Asking.self, from: bytes[...])
    }

    @Test("Values that JSON writes in the same way are decoded as each other")
    func conversions() throws {
        let coding = Coding()
        func converted<Value: Decodable>(_ value: some Encodable, _ type: Value.Type) throws -> Value {
            try coding.decode(type, from: coding.record(of: value))
        }
        #expect(try converted(5, Double.self) == 5)
        #expect(try converted(5.0, Int8.self) == 5)
        #expect(try converted(1 << 40, Float.self) == 0x1p40)
        #expect(try converted(Float(0.5), Double.self) == 0.5)
        #expect(try converted(-7, Decimal.self) == -7)
        #expect(try converted(Decimal(7), UInt8.self) == 7)
        #expect(try converted(Decimal(0.5), Double.self) == 0.5)
        #expect(try converted(Date(timeIntervalSinceReferenceDate: 9), Double.self) == 9)
        #expect(try converted(9, Date.self) == Date(timeIntervalSinceReferenceDate: 9))
        let url = try #require(URL(string: "https://example.com"))
        #expect(try converted(url, String.self) == "https://example.com")
        #expect(try converted("https://example.com", URL.self) == url)
        #expect(try converted(Data([1, 2]), String.self) == "AQI=")
        #expect(try converted("AQI=", Data.self) == Data([1, 2]))
        #expect(try converted([1, 2], Data.self) == Data([1, 2]))
        let uuid = UUID()
        #expect(try converted(uuid, String.self) == uuid.uuidString)
        #expect(try converted(uuid.uuidString, UUID.self) == uuid)
    }
}

// MARK: - Types by hand

struct Unencodable: Error {}

struct Failing: Encodable {
    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Letter.self)
        try members.encode(1, forKey: .a)
        var list = members.nestedUnkeyedContainer(forKey: .d)
        try list.encode(1)
        throw Unencodable()
    }
}

private struct Optionals: Encodable {
    var a: Int?
    var b: Int?
    var c: Int??
}

extension Encoder {
    func encodeValue(_ value: some Encodable) throws {
        var container = singleValueContainer()
        try container.encode(value)
    }
}

/// What a decoder is asked, which is passed to it as all that users pass.
struct Asked: @unchecked Sendable {
    // Only the test's own thread calls it.
    let body: (KeyedDecodingContainer<Letter>) throws -> Void
}

extension CodingUserInfoKey {
    static let asking = NameKey("asking").userInfoKey
    static let askingElements = NameKey("askingElements").userInfoKey
}

extension NameKey {
    fileprivate var userInfoKey: CodingUserInfoKey {
        guard let key = CodingUserInfoKey(rawValue: stringValue) else { preconditionFailure() }
        return key
    }
}

/// An object that a closure decodes.
struct Asking: Decodable {
    init(from decoder: any Decoder) throws {
        let asked = try #require(decoder.userInfo[.asking] as? Asked)
        try asked.body(decoder.container(keyedBy: Letter.self))
    }
}

/// An array that a closure decodes.
struct AskingElements: Decodable {
    struct Asked: @unchecked Sendable {
        // Only the test's own thread calls it.
        let body: (inout any UnkeyedDecodingContainer) throws -> Void
    }

    init(from decoder: any Decoder) throws {
        let asked = try #require(decoder.userInfo[.askingElements] as? Asked)
        var list = try decoder.unkeyedContainer()
        try asked.body(&list)
    }
}

extension Coding {
    func decode(
        _ type: Asking.Type,
        from record: [UInt8],
        _ body: @escaping (KeyedDecodingContainer<Letter>) throws -> Void
    ) throws -> Asking {
        try RecordDecoder(shapes: encoder.shapes, userInfo: [.asking: Asked(body: body)]).decode(
            type,
            from: record[...]
        )
    }

    func decode(
        _ type: AskingElements.Type,
        from record: [UInt8],
        _ body: @escaping (inout any UnkeyedDecodingContainer) throws -> Void
    ) throws -> AskingElements {
        let asked = AskingElements.Asked(body: body)
        return try RecordDecoder(shapes: encoder.shapes, userInfo: [.askingElements: asked]).decode(
            type,
            from: record[...]
        )
    }
}
