import Foundation
import SeededRandom
import Testing

@testable import FlatCacheStore

/// The names of members are stored once.
@Suite struct ShapeTests {
    @Test("Objects of one type have one shape, whichever optional members are nil")
    func optionalMembers() throws {
        let coding = Coding()
        for size in [nil, 1] as [Double?] {
            for name in ["a", ""] { _ = try coding.record(of: Sample.Part(name: name, size: size)) }
        }
        #expect(coding.encoder.shapes.count == 1)
    }

    @Test("Dictionaries add no shapes")
    func dictionaries() throws {
        let coding = Coding()
        for number in 0..<1_000 {
            _ = try coding.record(of: ["\(number)": number])
            _ = try coding.record(of: [number: number])
        }
        #expect(coding.encoder.shapes.count == 0)
    }

    @Test("If there are too many shapes, objects have their own")
    func limit() throws {
        let coding = Coding()
        var random = SeededGenerator(seed: 1)
        for _ in 0..<2 * RecordLimit.shapes {
            let keys = Digit.allCases.shuffled(using: &random)
            let value = ByHand { encoder in
                var members = encoder.container(keyedBy: Digit.self)
                for key in keys { try members.encode(key.rawValue, forKey: key) }
            }
            let names = keys.map { "\"\($0.rawValue)\":\"\($0.rawValue)\"" }
            #expect(try coding.text(value) == "{\(names.joined(separator: ","))}")
        }
        #expect(coding.encoder.shapes.count == RecordLimit.shapes)
    }

    @Test("Versions of a type read each other's records")
    func versions() throws {
        let coding = Coding()
        let old = try coding.record(of: VersionA(id: 1, title: "t", likes: 5, text: "x"))
        let new = try coding.record(of: VersionB(text: "y", id: 2, language: "en", title: "u"))
        #expect(coding.encoder.shapes.count == 2)
        #expect(try coding.decode(VersionB.self, from: old) == VersionB(text: "x", id: 1, language: nil, title: "t"))
        #expect(try coding.decode(VersionC.self, from: old) == VersionC(title: "t", id: 1))
        #expect(try coding.decode(VersionC.self, from: new) == VersionC(title: "u", id: 2))
        #expect(throws: DecodingError.self) { try coding.decode(VersionA.self, from: new) }
    }

    @Test("The members of a large object are found in any order", arguments: [1, 2, 3])
    func anyOrder(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let object = Dictionary(uniqueKeysWithValues: (0..<2_000).map { ("name \($0)", String($0)) })
        let coding = Coding()
        let record = try coding.record(of: object)
        let names = object.keys.sorted().shuffled(using: &random)
        let decoded = try coding.decode(InOrder.self, from: record, names: names)
        #expect(decoded.values == names.map { object[$0] })
    }

    @Test("A table is stored in parts, and decodes records that were encoded before it grew")
    func parts() throws {
        let coding = Coding()
        let first = try coding.record(of: VersionA(id: 1, title: "t", likes: 5, text: "x"))
        var stored = ShapeTable()
        try stored.add(coding.encoder.shapes.bytes()[...])
        let second = try coding.record(of: Figure.named("a", .point))
        let count = coding.encoder.shapes.count
        #expect(count > 2)
        try stored.add(coding.encoder.shapes.bytes(from: 1)[...])
        try stored.add(coding.encoder.shapes.bytes()[...])
        #expect(stored.count == count && stored.bytes() == coding.encoder.shapes.bytes())

        let decoder = RecordDecoder(shapes: stored)
        #expect(try decoder.decode(VersionA.self, from: first[...]).likes == 5)
        #expect(try decoder.decode(Figure.self, from: second[...]) == .named("a", .point))
        var again: [UInt8] = []
        let encoder = RecordEncoder(shapes: stored)
        try encoder.encode(Figure.named("a", .point), into: &again)
        #expect(again == second && encoder.shapes.count == count)
    }

    @Test("D2: Damaged shapes are an error, and don't change the table")
    func damaged() throws {
        let coding = Coding()
        _ = try coding.record(of: VersionA(id: 1, title: "t", likes: 5, text: "x"))
        let bytes = coding.encoder.shapes.bytes()
        var table = ShapeTable()
        for count in bytes.indices {
            #expect(throws: DecodingError.self) { try table.add(bytes[..<count]) }
        }
        for index in bytes.indices {
            for byte in 0...UInt8.max {
                var changed = bytes
                changed[index] = byte
                var table = ShapeTable()
                do { try table.add(changed[...]) } catch is DecodingError { #expect(table.count == 0) }
            }
        }
        let newer = try decodingError { try table.add([9] + bytes.dropFirst()) }
        #expect(
            newer.context.debugDescription
                == "The stored shapes of objects can't be read: they have the format 9, at byte 0"
        )
        #expect(throws: DecodingError.self) { try table.add(coding.encoder.shapes.bytes(from: 1)[...]) }
        try table.add(bytes[...])
        let other = Coding()
        _ = try other.record(of: Comment(text: "", replies: []))
        #expect(throws: DecodingError.self) { try table.add(other.encoder.shapes.bytes()[...]) }
        #expect(table.bytes() == bytes)
    }
}

private enum Digit: String, CodingKey, CaseIterable { case one, two, three, four, five, six, seven, eight }

struct VersionC: Codable, Equatable {
    var title: String
    var id: Int
}

/// An object whose members are decoded in an order that the test passes.
private struct InOrder: Decodable {
    static let names = CodingUserInfoKey(rawValue: "names")
    let values: [String]

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: NameKey.self)
        let names = Self.names.flatMap { decoder.userInfo[$0] as? [String] } ?? []
        values = try names.map { try members.decode(String.self, forKey: NameKey($0)) }
    }
}

extension Coding {
    fileprivate func decode(_ type: InOrder.Type, from record: [UInt8], names: [String]) throws -> InOrder {
        let userInfo: [CodingUserInfoKey: any Sendable] = InOrder.names.map { [$0: names] } ?? [:]
        return try RecordDecoder(shapes: encoder.shapes, userInfo: userInfo).decode(type, from: record[...])
    }
}
