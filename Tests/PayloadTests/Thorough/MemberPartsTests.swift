import FlatCache
import Foundation
import Testing

/// Parts of structures that several entities of a payload have, or several members of one.
@Suite("Parts of structures in a payload")
struct MemberPartsTests {
    private let cache = FlatCache()

    struct Writer: Cachable, Codable, Equatable, FlatCache.PayloadDecodable {
        let id: Int
        var name: String

        static var payloadKeys: [_PayloadKey] { [.init("id", \.id), .init("name", \.name)] }
    }

    /// An entity with structures that aren't `Equatable`.
    struct Report: Cachable, Codable, FlatCache.PayloadDecodable {
        let id: Int
        let kind: Int
        let size: Size?
        var head: Head?
        var cover: Cover?
        var title: String?

        struct Cover: Codable, FlatCache.PayloadOwner {
            var label: String
            var head: Head?

            static var payloadKeys: [_PayloadKey] { [.init("label", \.label), .init("head", \.head)] }
        }

        struct Size: Codable, FlatCache.PayloadOwner {
            var width: Int
            private(set) var unit: String?

            static var payloadKeys: [_PayloadKey] { [.init("width", \.width), .init("unit", String?.self)] }
        }

        struct Head: Codable, FlatCache.PayloadOwner {
            var text: String
            var writerID: Writer.ID
            var note: String?
            var size: Size?

            static var payloadKeys: [_PayloadKey] {
                [
                    .init("text", \.text), .init("writerID", \.writerID, Writer.self, "writer"), .init("note", \.note),
                    .init("size", \.size),
                ]
            }
        }

        static var payloadKeys: [_PayloadKey] {
            [
                .init("id", \.id), .init("kind", \.kind), .init("size", \.size), .init("head", \.head),
                .init("cover", \.cover), .init("title", \.title),
            ]
        }
    }

    /// Stores reports, and returns the descriptions of the problems and the first report as JSON with sorted keys.
    private func store(_ json: String) throws -> (problems: [String], report: String?) {
        let stored = cache.store(try JSONDecoder().decode(Payload<[Report]>.self, from: Data(json.utf8)))
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let report = try cache.get(Report.self, id: 1).map { String(decoding: try encoder.encode($0), as: UTF8.self) }
        return (stored.problems.map(\.reason.description), report)
    }

    @Test("P2: A constant structure keeps what a response leaves out, also if its values can't be compared")
    func constant() throws {
        _ = try store(#"[{"id": 1, "kind": 0, "size": {"width": 1, "unit": "m"}}]"#)
        let (problems, report) = try store(#"[{"id": 1, "kind": 0, "size": {"width": 2}, "title": "t"}]"#)
        #expect(problems == [])
        #expect(report == #"{"id":1,"kind":0,"size":{"unit":"m","width":2},"title":"t"}"#)
    }

    @Test("P2: Several structures of one entity can leave out something required")
    func severalMembers() throws {
        _ = try store(
            #"""
            [{"id": 1, "kind": 0, "size": {"width": 1}, "head": {"writerID": 1, "text": "x", "size": {"width": 3}}}]
            """#
        )
        let (problems, report) = try store(
            #"[{"id": 1, "size": {"unit": "m"}, "head": {"note": "n", "size": {"unit": "s"}}}]"#
        )
        #expect(problems == [])
        #expect(
            report == #"{"head":{"note":"n","size":{"unit":"s","width":3},"text":"x","writerID":1},"#
                + #""id":1,"kind":0,"size":{"unit":"m","width":1}}"#
        )
    }

    @Test(
        "P3: An entity nested in an incomplete structure is collected once",
        arguments: [
            (#""head": {"writer": {"id": 7}}"#, "head.text"),
            (#""cover": {"head": {"writer": {"id": 7}}}"#, "cover.label, cover.head.text"),
            (#""cover": {"label": "l", "head": {"writer": {"id": 7}}}"#, "cover.head.text"),
        ]
    )
    func nestedEntities(member: String, missing: String) throws {
        let (problems, _) = try store(#"[{"id": 1, "kind": 0, \#(member)}]"#)
        #expect(problems.sorted() == ["incomplete, without \(missing)", "incomplete, without name"])
        _ = try store(#"[{"id": 2, "kind": 0, "head": {"note": "n", "writer": {"id": 7, "name": "w"}}}]"#)
        #expect(cache.get(Writer.self, id: 7) == Writer(id: 7, name: "w"))
    }

    @Test("P2: Parts of a structure complete each other in order, and null is a value")
    func order() throws {
        let (problems, report) = try store(
            #"""
            [{"id": 1, "head": {"note": "n", "size": {"unit": "m"}}},
             {"id": 1, "head": {"text": "x", "writerID": 2, "size": null}}, {"id": 1, "kind": 0}]
            """#
        )
        #expect(problems == [])
        #expect(report == #"{"head":{"note":"n","text":"x","writerID":2},"id":1,"kind":0}"#)
    }

    @Test("P2: A part that isn't completed at once is completed by a later one")
    func completedLater() throws {
        let (problems, report) = try store(
            #"""
            [{"id": 1, "head": {"note": "n", "size": {"unit": "m"}}}, {"id": 1, "head": {"text": "x", "writerID": 2}},
             {"id": 1, "kind": 0, "head": {"size": {"width": 3}}}]
            """#
        )
        #expect(problems == [])
        #expect(
            report == #"{"head":{"note":"n","size":{"unit":"m","width":3},"text":"x","writerID":2},"id":1,"kind":0}"#
        )
    }

    @Test("P2: A part that nothing completes is a problem, and the entity after it is stored without it")
    func notCompleted() throws {
        let (problems, report) = try store(#"[{"id": 1, "head": {"note": "n"}}, {"id": 1, "kind": 0, "title": "t"}]"#)
        #expect(problems == ["incomplete, without kind, head.text, head.writerID"])
        #expect(report == #"{"id":1,"kind":0,"title":"t"}"#)
    }
}
