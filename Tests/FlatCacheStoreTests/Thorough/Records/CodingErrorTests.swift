import Foundation
import TestThreads
import Testing

@testable import FlatCacheStore

/// Errors name the place and the problem.
@Suite struct CodingErrorTests {
    @Test("A decoding error has the path to the value and the reason")
    func decodingPaths() throws {
        let coding = Coding()
        let thread = Thread(
            title: "t",
            posts: [.init(id: 1, tags: ["x": ["a"]]), .init(id: 2, tags: ["y": ["b", "c"]])]
        )
        let record = try coding.record(of: thread)

        var error = try decodingError { _ = try coding.decode(OtherThread<Int, Int>.self, from: record) }
        #expect(error.path == ".posts[0].tags.x[0]")
        #expect(error.context.debugDescription == "Expected Int, but the record has a string.")

        error = try decodingError { _ = try coding.decode(OtherThread<String, [Int]>.self, from: record) }
        #expect(error.path == ".posts[0].id")
        #expect(error.context.debugDescription == "Expected Array<Any>, but the record has a whole number.")

        error = try decodingError { _ = try coding.decode([Int].self, from: record) }
        #expect(error.path == "")
        #expect(error.context.debugDescription == "Expected Array<Any>, but the record has an object.")

        error = try decodingError { _ = try coding.decode(Missing.self, from: record) }
        #expect(error.path == ".posts[1]")
        #expect(error.context.debugDescription == "The record has no member 'author'.")
    }

    @Test("Null and the end of an array are missing values")
    func missing() throws {
        let coding = Coding()
        let null = try decodingError { _ = try coding.decode([Int].self, from: coding.record(of: [1, nil] as [Int?])) }
        guard case .valueNotFound = null else { throw null }
        #expect(null.path == "[1]")
        let end = try decodingError { _ = try coding.decode(Pair.self, from: coding.record(of: [1])) }
        guard case .valueNotFound = end else { throw end }
        #expect(end.path == "[1]")
        #expect(end.context.debugDescription == "The array in the record ends after 1 elements.")
    }

    @Test("A number that doesn't fit is an error")
    func numbers() throws {
        let coding = Coding()
        func error<Value: Decodable>(_ value: some Encodable, _ type: Value.Type) throws -> String {
            try decodingError { _ = try coding.decode(type, from: coding.record(of: value)) }.context.debugDescription
        }
        #expect(try error(256, UInt8.self) == "The number 256 doesn't fit in UInt8.")
        #expect(try error(-1, UInt64.self) == "The number -1 doesn't fit in UInt64.")
        #expect(try error(UInt64.max, Int.self) == "The number 18446744073709551615 doesn't fit in Int.")
        #expect(try error(Int128.min, Int.self) == "The number \(Int128.min) doesn't fit in Int.")
        #expect(try error(UInt128.max, Int128.self) == "The number \(UInt128.max) doesn't fit in Int128.")
        #expect(try error(0.5, Int.self) == "The number 0.5 doesn't fit in Int.")
        #expect(try error(1e300, Float.self) == "The number 1e+300 doesn't fit in Float.")
    }

    @Test("A value that encodes nothing is an empty object, and alone it is an error")
    func nothing() throws {
        #expect(try Coding().text([ByHand { _ in }]) == "[{}]")
        let error = try #require(throws: EncodingError.self) { try Coding().record(of: ByHand { _ in }) }
        #expect(error.message == "ByHand encodes no value. Encode at least an empty container.")
    }

    @Test("The path of an encoder leads to the value, also in nested containers")
    func encodingPaths() throws {
        var paths: [String] = []
        let value = ByHand { encoder in
            var members = encoder.container(keyedBy: Letter.self)
            try members.encode(1, forKey: .a)
            var list = members.nestedUnkeyedContainer(forKey: .b)
            try list.encode(0)
            try members.encode(["k": [ByHand { paths.append($0.codingPath.path) }]], forKey: .c)
            try list.encode(["k": [ByHand { paths.append($0.codingPath.path) }]])
            paths.append(list.superEncoder().codingPath.path)
            paths.append(members.codingPath.path)
        }
        _ = try Coding().record(of: value)
        #expect(paths == [".c.k[0]", ".b[1].k[0]", ".b[2]", ""])
    }

    @Test("Deeper values than the limit are errors, and those at the limit aren't")
    func depth() throws {
        func chain(_ depth: Int) -> Comment {
            var comment = Comment(text: "", replies: [])
            for _ in 1..<depth { comment = Comment(text: "", replies: [comment]) }
            return comment
        }
        // Each comment is inside the array of another, and the innermost has an array.
        let deepest = chain(RecordLimit.depth / 2)
        #expect(try roundTrip(deepest) == deepest)
        let error = try #require(throws: EncodingError.self) { _ = try Coding().record(of: chain(RecordLimit.depth)) }
        #expect(error.message == "The value is inside more than 128 others. Relate entities by identifiers.")

        func nested(_ depth: Int) -> Figure { depth == 0 ? .point : .named("", nested(depth - 1)) }
        _ = try Coding().record(of: nested(40))
        #expect(throws: EncodingError.self) { try Coding().record(of: nested(200)) }
        let deep = Nesting.record(1_000_000)
        let decoding = try decodingError { _ = try Coding().decode(Nesting.self, from: deep) }
        #expect(decoding.context.debugDescription == "The value is inside more than 128 others.")
        #expect(throws: DecodingError.self) { try RecordText.json(deep[...], shapes: ShapeTable()) }
    }

    @Test("Values at the limit need less than the smallest stack of a thread")
    func stack() async throws {
        let values = Nesting.record(RecordLimit.depth - 1)
        let count = await onSmallStack { (try? Coding().decode(Nesting.self, from: values))?.depth }
        #expect(count == RecordLimit.depth - 1)
        let length = await onSmallStack { (try? Coding().record(of: Nesting(depth: RecordLimit.depth - 1)))?.count }
        #expect(length == values.count)
    }

    @Test("A container that is used at a wrong time gives an error")
    func misuse() throws {
        #expect(throws: EncodingError.self) {
            try Coding().record(
                of: ByHand { encoder in
                    try encoder.encodeValue(1)
                    try encoder.encodeValue(2)
                }
            )
        }
        #expect(throws: EncodingError.self) {
            try Coding().record(
                of: ByHand { encoder in
                    _ = encoder.unkeyedContainer()
                    _ = encoder.container(keyedBy: Letter.self)
                }
            )
        }
        var escaped: KeyedEncodingContainer<Letter>?
        var nested: (any UnkeyedEncodingContainer)?
        let coding = Coding()
        let record = try coding.record(
            of: ByHand { encoder in
                escaped = encoder.container(keyedBy: Letter.self)
                nested = escaped?.nestedUnkeyedContainer(forKey: .b)
                try escaped?.encode(1, forKey: .a)
            }
        )
        #expect(throws: EncodingError.self) { try escaped?.encode(2, forKey: .b) }
        #expect(throws: EncodingError.self) { try nested?.encode(2) }
        var unusable = escaped?.nestedUnkeyedContainer(forKey: .c)
        #expect(throws: EncodingError.self) { try unusable?.encode(2) }
        #expect(try RecordText.json(record[...], shapes: coding.encoder.shapes) == #"{"b":[],"a":1}"#)
        #expect(try coding.text(["a"]) == #"["a"]"#)
    }

    @Test("A type that encodes a value by the encoder that encodes it gets an error")
    func reentrant() throws {
        let coding = Coding()
        let value = ByHand { encoder in
            #expect(throws: EncodingError.self) { try coding.record(of: ["a", "b"]) }
            try encoder.encodeValue(["c"])
        }
        #expect(try coding.text(["long text": value]) == #"{"long text":["c"]}"#)
    }

    @Test("A container that is used after its record was decoded gives an error")
    func escaped() throws {
        let coding = Coding()
        var escaped: KeyedDecodingContainer<Letter>?
        var list: (any UnkeyedDecodingContainer)?
        var one: (any Decoder)?
        let record = try coding.record(of: ["a": [1, 2, 3]])
        _ = try coding.decode(Asking.self, from: record) { members in
            escaped = members
            list = try members.nestedUnkeyedContainer(forKey: .a)
            one = try list?.superDecoder()
        }
        #expect(throws: DecodingError.self) { try escaped?.decode([Int].self, forKey: .a) }
        #expect(escaped?.allKeys == [])
        #expect(list?.isAtEnd == true)
        #expect(throws: DecodingError.self) { try list?.decode(Int.self) }
        #expect(throws: DecodingError.self) { try one?.singleValueContainer().decode(Int.self) }
        #expect(throws: DecodingError.self) { try one?.unkeyedContainer() }
    }

    @Test("A failed encoding appends nothing, and the encoder goes on")
    func failed() throws {
        let coding = Coding()
        var bytes: [UInt8] = [1, 2]
        #expect(throws: Unencodable.self) {
            try coding.encoder.encode([ByHand { _ in }, ByHand { _ in throw Unencodable() }], into: &bytes)
        }
        #expect(bytes == [1, 2])
        #expect(try coding.text(["a": 1]) == #"{"a":1}"#)
    }
}

extension EncodingError {
    fileprivate var message: String {
        guard case .invalidValue(_, let context) = self else { return "" }
        return context.debugDescription
    }
}

/// Arrays inside each other.
private struct Nesting: Codable {
    var depth: Int

    init(depth: Int) { self.depth = depth }

    init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        depth = list.isAtEnd ? 0 : 1 + (try list.decode(Nesting.self)).depth
    }

    func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        if depth > 0 { try list.encode(Nesting(depth: depth - 1)) }
    }

    static func record(_ depth: Int) -> [UInt8] {
        var lengths: [[UInt8]] = []
        var length = 0
        for _ in 0...depth {
            var buffer = RecordBuffer(capacity: 8)
            buffer.append(RecordTag.array)
            buffer.appendVarint(length)
            lengths.append(Array(buffer.contents))
            length += buffer.count
        }
        return lengths.reversed().flatMap { $0 }
    }
}

/// Runs a closure on a thread with the stack of secondary threads of Apple's systems.
private func onSmallStack(_ body: @escaping @Sendable () -> Int?) async -> Int? {
    await withCheckedContinuation { continuation in
        _ = RunningThread(stackSize: 512 << 10) { continuation.resume(returning: body()) }
    }
}

private struct Thread: Encodable {
    struct Post: Encodable {
        var id: Int
        var tags: [String: [String]]
    }

    var title: String
    var posts: [Post]
}

private struct OtherThread<ID: Decodable, Tag: Decodable>: Decodable {
    struct Post: Decodable {
        var tags: [String: [Tag]]
    }

    struct Identified: Decodable {
        var id: [Int]
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: NameKey.self)
        if ID.self == Int.self { _ = try members.decode([Post].self, forKey: NameKey("posts")) }
        _ = try members.decode([Identified].self, forKey: NameKey("posts"))
    }
}

private struct Missing: Decodable {
    struct Author: Decodable {
        var author: String
    }

    init(from decoder: any Decoder) throws {
        var posts = try decoder.container(keyedBy: NameKey.self).nestedUnkeyedContainer(forKey: NameKey("posts"))
        _ = try posts.nestedContainer(keyedBy: NameKey.self)
        _ = try posts.decode(Author.self)
    }
}

private struct Pair: Decodable {
    init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        _ = try list.decode(Int.self)
        _ = try list.decode(Int.self)
    }
}
