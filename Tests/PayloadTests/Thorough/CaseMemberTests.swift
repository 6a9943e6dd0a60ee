import FlatCache
import Foundation
import Testing

/// Cases with labelled values, which a synthesized `init(from:)` reads in an object of their own.
@Suite("Cases of enumerations with synthesized coding")
struct CaseMemberTests {
    private let cache = FlatCache()

    enum Mark: Codable, Equatable, Sendable {
        case none, color(red: Int, green: Int?, name: String, place: Place?)

        struct Place: Codable, Equatable, Sendable {
            var row: Int
            var column: Int
        }
    }

    struct Note: Cachable, Codable, Equatable, FlatCache.PayloadDecodable {
        let id: Int
        var title: String
        var mark: Mark?

        static var payloadKeys: [_PayloadKey] {
            [.init("id", \.id), .init("title", \.title), .init("mark", \.mark)]
        }
    }

    private static let old = Mark.color(red: 1, green: 2, name: "n", place: Mark.Place(row: 1, column: 1))

    /// Stores notes, after the keys of the case were learnt.
    private func store(_ json: String) throws -> [String] {
        let whole = String(decoding: try JSONEncoder().encode(Note(id: 0, title: "", mark: Self.old)), as: UTF8.self)
        _ = try decode(Payload<Note>.self, whole)
        return cache.store(try decode(Payload<[Note]>.self, json)).problems.map(\.description)
    }

    @Test(
        "P2: A case keeps the members that a payload leaves out",
        arguments: [
            (#""red": 4"#, Mark.color(red: 4, green: 2, name: "n", place: Mark.Place(row: 1, column: 1))),
            (#""name": "m""#, .color(red: 1, green: 2, name: "m", place: Mark.Place(row: 1, column: 1))),
            (#""green": null"#, .color(red: 1, green: nil, name: "n", place: Mark.Place(row: 1, column: 1))),
            (#""place": {"row": 7}"#, .color(red: 1, green: 2, name: "n", place: Mark.Place(row: 7, column: 1))),
            (#""red": 5, "name": "o""#, .color(red: 5, green: 2, name: "o", place: Mark.Place(row: 1, column: 1))),
            ("", old),
        ]
    )
    func kept(members: String, expected: Mark) throws {
        for title in ["c", nil] {
            cache.set(Note(id: 1, title: "b", mark: Self.old))
            let text = title.map { #""title": "\#($0)","# } ?? ""
            #expect(try store(#"[{"id": 1, \#(text) "mark": {"color": {\#(members)}}}]"#) == [])
            #expect(cache.get(Note.self, id: 1) == Note(id: 1, title: title ?? "b", mark: expected))
        }
    }

    @Test("P2: Another case without one of its members is a problem, alone", arguments: [Mark.none, nil])
    func otherCase(mark: Mark?) throws {
        cache.set(Note(id: 1, title: "b", mark: mark))
        let problems = try store(#"[{"id": 1, "title": "c", "mark": {"color": {"red": 4}}}]"#)
        #expect(problems == ["[0].mark.color.name: can't read Mark: it is missing"])
        #expect(cache.get(Note.self, id: 1) == Note(id: 1, title: "c", mark: mark))
        let whole = #"[{"id": 1, "mark": {"color": {"red": 4, "name": "n"}}}]"#
        #expect(try store(whole) == [])
        #expect(cache.get(Note.self, id: 1)?.mark == .color(red: 4, green: nil, name: "n", place: nil))
        #expect(try store(#"[{"id": 1, "mark": {"none": {}}}]"#) == [])
        #expect(cache.get(Note.self, id: 1)?.mark == Mark.none)
    }

    @Test("P2: Parts of a case in a payload complete each other", arguments: [false, true])
    func parts(isReversed: Bool) throws {
        var parts = [
            #"{"id": 3, "title": "t", "mark": {"color": {"red": 1, "green": 2}}}"#,
            #"{"id": 3, "mark": {"color": {"name": "n", "place": {"row": 1, "column": 1}}}}"#,
        ]
        if isReversed { parts.reverse() }
        #expect(try store("[\(parts.joined(separator: ", "))]") == [])
        #expect(cache.get(Note.self, id: 3) == Note(id: 3, title: "t", mark: Self.old))
    }

    /// An entity whose cases have the keys.
    enum Owner: Cachable, Codable, Equatable {
        case user(id: Int, name: String, bio: String?), group(id: Int, title: String)

        var id: Int {
            switch self {
            case .user(let id, _, _), .group(let id, _): id
            }
        }
    }

    @Test("P2: A case of an entity keeps the optional members that a payload leaves out")
    func entity() throws {
        func store(_ json: String) throws -> [String] {
            cache.store(try decode(Payload<[Owner]>.self, json)).problems.map(\.description)
        }
        #expect(try store(#"[{"user": {"id": 1, "name": "a", "bio": "b"}}]"#) == [])
        #expect(try store(#"[{"user": {"id": 1, "name": "c"}}]"#) == [])
        #expect(cache.get(Owner.self, id: 1) == .user(id: 1, name: "c", bio: "b"))
        #expect(try store(#"[{"group": {"id": 1, "title": "t"}}]"#) == [])
        #expect(cache.get(Owner.self, id: 1) == .group(id: 1, title: "t"))
    }
}
