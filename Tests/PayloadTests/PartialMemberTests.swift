import FlatCache
import Foundation
import Testing

/// Structures in entities, of which a response leaves something out.
@Suite("Parts of values in entities")
struct PartialMemberTests {
    private let cache = FlatCache()

    struct Issue: Cachable, Codable, Equatable {
        let id: Int
        var fields: Fields
        let sys: Sys?
        var labels: [Label]?
        var links: [String: Label]?
        var kind: Kind?

        struct Fields: Codable, Equatable {
            var summary: String
            var description: String?
            let priority: Priority?
            var estimate: Int
        }

        struct Priority: Codable, Equatable {
            let name: String
            let color: String?
        }

        struct Sys: Codable, Equatable {
            let version: Int
            let space: String?

            private enum CodingKeys: String, CodingKey { case version = "revision", space }
        }

        struct Label: Codable, Equatable {
            let name: String
            let color: String?
        }

        enum Kind: Codable, Equatable { case photo(url: String, caption: String?), text(String) }
    }

    private static let whole = Issue(
        id: 1,
        fields: Issue.Fields(
            summary: "s",
            description: "d",
            priority: Issue.Priority(name: "high", color: "red"),
            estimate: 3
        ),
        sys: Issue.Sys(version: 1, space: "x"),
        labels: [Issue.Label(name: "a", color: "blue")],
        links: ["a": Issue.Label(name: "a", color: "blue")],
        kind: .photo(url: "u", caption: "c")
    )

    private func store(_ json: String) throws -> [PayloadProblem] {
        cache.store(try JSONDecoder().decode(Payload<[Issue]>.self, from: Data(json.utf8))).problems
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let json: String
        let change: @Sendable (inout Issue) -> Void

        var testDescription: String { json }

        init(_ json: String, _ change: @escaping @Sendable (inout Issue) -> Void) {
            self.json = json
            self.change = change
        }
    }

    static let cases: [Case] = [
        Case(#""fields": {"summary": "t", "estimate": 4}"#) {
            $0.fields.summary = "t"
            $0.fields.estimate = 4
        },
        Case(#""fields": {"summary": "t"}"#) { $0.fields.summary = "t" },
        Case(#""fields": {}"#) { _ in },
        Case(#""fields": {"description": null, "estimate": 5}"#) {
            $0.fields.description = nil
            $0.fields.estimate = 5
        },
        Case(#""fields": {"estimate": 5, "priority": {"name": "low"}}"#) {
            $0.fields = Issue.Fields(
                summary: "s",
                description: "d",
                priority: Issue.Priority(name: "low", color: "red"),
                estimate: 5
            )
        },
        Case(#""fields": {"summary": "t", "priority": {"color": null}}"#) {
            $0.fields = Issue.Fields(
                summary: "t",
                description: "d",
                priority: Issue.Priority(name: "high", color: nil),
                estimate: 3
            )
        },
        Case(#""sys": {"revision": 2}"#) {
            $0 = Issue(
                id: 1,
                fields: $0.fields,
                sys: Issue.Sys(version: 2, space: "x"),
                labels: $0.labels,
                links: $0.links,
                kind: $0.kind
            )
        },
        Case(#""sys": {"space": "y"}, "fields": {"summary": "t", "estimate": 4}"#) {
            $0 = Issue(
                id: 1,
                fields: Issue.Fields(
                    summary: "t",
                    description: "d",
                    priority: Issue.Priority(name: "high", color: "red"),
                    estimate: 4
                ),
                sys: Issue.Sys(version: 1, space: "y"),
                labels: $0.labels,
                links: $0.links,
                kind: $0.kind
            )
        },
        // A collection is one value.
        Case(#""labels": [{"name": "a"}]"#) { $0.labels = [Issue.Label(name: "a", color: nil)] },
        Case(#""links": {"a": {"name": "a"}}"#) { $0.links = ["a": Issue.Label(name: "a", color: nil)] },
        // A case of an enumeration, too, if it is another one.
        Case(#""kind": {"photo": {"url": "v"}}"#) { $0.kind = .photo(url: "v", caption: "c") },
        Case(#""kind": {"text": {"_0": "v"}}"#) { $0.kind = .text("v") },
    ]

    @Test("P2: A payload keeps what it leaves out of a structure, at every depth", arguments: cases)
    func kept(_ change: Case) throws {
        // The keys of the types are learnt.
        let encoded = String(decoding: try JSONEncoder().encode(Self.whole), as: UTF8.self)
        #expect(try store("[\(encoded)]").isEmpty)
        #expect(cache.get(Issue.self, id: 1) == Self.whole)

        let problems = try store(#"[{"id": 1, \#(change.json)}]"#)
        #expect(problems.map(\.description) == [])
        var expected = Self.whole
        change.change(&expected)
        #expect(cache.get(Issue.self, id: 1) == expected)
    }

    @Test("P2: Parts of one structure in a payload complete each other", arguments: [false, true])
    func parts(isReversed: Bool) throws {
        let encoded = String(decoding: try JSONEncoder().encode(Self.whole), as: UTF8.self)
        _ = try JSONDecoder().decode(Payload<Issue>.self, from: Data(encoded.utf8))
        var parts = [
            #"{"id": 2, "fields": {"summary": "s", "description": "d"}}"#, #"{"id": 2, "fields": {"estimate": 3}}"#,
        ]
        if isReversed { parts.reverse() }
        let problems = try store("[\(parts.joined(separator: ", "))]")
        #expect(problems.map(\.description) == [])
        let fields = Issue.Fields(summary: "s", description: "d", priority: nil, estimate: 3)
        #expect(cache.get(Issue.self, id: 2)?.fields == fields)
    }

    @Test("P2: A whole entity takes what is left out of its structures from an incomplete one before it")
    func incompleteBefore() throws {
        let encoded = String(decoding: try JSONEncoder().encode(Self.whole), as: UTF8.self)
        _ = try JSONDecoder().decode(Payload<Issue>.self, from: Data(encoded.utf8))
        let sys = #""sys": {"revision": 1, "space": "x"}, "kind": {"photo": {"url": "u", "caption": "c"}}"#
        let later = #""sys": {"revision": 2}, "kind": {"photo": {"url": "v"}}"#
        let json = #"[{"id": 5, \#(sys)}, {"id": 5, "fields": {"summary": "s", "estimate": 1}, \#(later)}]"#
        #expect(try store(json).map(\.description) == [])
        let issue = cache.get(Issue.self, id: 5)
        #expect(issue?.sys == Issue.Sys(version: 2, space: "x"))
        #expect(issue?.kind == .photo(url: "v", caption: "c"))
    }

    @Test("P2: A structure without something required is a problem if nothing is stored")
    func nothingStored() throws {
        let encoded = String(decoding: try JSONEncoder().encode(Self.whole), as: UTF8.self)
        _ = try JSONDecoder().decode(Payload<Issue>.self, from: Data(encoded.utf8))
        let problems = try store(#"[{"id": 3, "fields": {"summary": "s"}}]"#)
        #expect(problems.map(\.reason.description) == ["incomplete, without fields.estimate"])
        #expect(!cache.contains(Issue.self, id: 3))
    }

    @Test("P2: A structure is stored as it is where none was, also in an entity without something required")
    func noneStored() throws {
        var bare = Self.whole
        bare = Issue(id: 4, fields: bare.fields, sys: nil, labels: nil, links: nil, kind: nil)
        let encoded = String(decoding: try JSONEncoder().encode([Self.whole, bare]), as: UTF8.self)
        #expect(try store(encoded).isEmpty)
        let problems = try store(#"[{"id": 4, "sys": {"revision": 2}, "kind": {"photo": {"url": "v"}}}]"#)
        #expect(problems.map(\.description) == [])
        let expected = Issue(
            id: 4,
            fields: bare.fields,
            sys: Issue.Sys(version: 2, space: nil),
            labels: nil,
            links: nil,
            kind: .photo(url: "v", caption: nil)
        )
        #expect(cache.get(Issue.self, id: 4) == expected)
    }

    /// A structure that can't be encoded.
    struct Page: Cachable, Decodable, Equatable {
        let id: Int
        var head: Head

        struct Head: Decodable, Equatable {
            var title: String
            var note: String?
        }
    }

    /// A structure with a table, which can't be encoded and which no test decodes as a whole.
    struct Ticket: Cachable, Decodable, Equatable, FlatCache.PayloadDecodable {
        let id: Int
        var head: Head?

        struct Head: Decodable, Equatable, FlatCache.PayloadOwner {
            let title: String
            var note: String?
            let owner: Owner?

            static var payloadKeys: [_PayloadKey] {
                [.init("title", \.title), .init("note", \.note), .init("owner", \.owner)]
            }
        }

        struct Owner: Decodable, Equatable, FlatCache.PayloadOwner {
            let name: String
            let team: String?

            static var payloadKeys: [_PayloadKey] { [.init("name", \.name), .init("team", \.team)] }
        }

        static var payloadKeys: [_PayloadKey] { [.init("id", \.id), .init("head", \.head)] }
    }

    @Test(
        "P2: A structure with a table need not be encodable, nor be known before",
        arguments: [
            (#"{"note": "m"}"#, Ticket.Head(title: "t", note: "m", owner: Ticket.Owner(name: "o", team: "a"))),
            (#"{"title": "u"}"#, Ticket.Head(title: "u", note: "n", owner: Ticket.Owner(name: "o", team: "a"))),
            (
                #"{"owner": {"team": null}}"#,
                Ticket.Head(title: "t", note: "n", owner: Ticket.Owner(name: "o", team: nil))
            ),
            (
                #"{"title": "u", "owner": {"name": "p"}}"#,
                Ticket.Head(title: "u", note: "n", owner: Ticket.Owner(name: "p", team: "a"))
            ),
            (#"{}"#, Ticket.Head(title: "t", note: "n", owner: Ticket.Owner(name: "o", team: "a"))), ("null", nil),
        ]
    )
    func tables(json: String, expected: Ticket.Head?) throws {
        let head = Ticket.Head(title: "t", note: "n", owner: Ticket.Owner(name: "o", team: "a"))
        cache.set(Ticket(id: 1, head: head))
        let payload = try JSONDecoder().decode(Payload<Ticket>.self, from: Data(#"{"id": 1, "head": \#(json)}"#.utf8))
        #expect(cache.store(payload).problems.map(\.description) == [])
        #expect(cache.get(Ticket.self, id: 1) == Ticket(id: 1, head: expected))
    }

    @Test("P2: What can't be kept of a structure is a problem")
    func problem() throws {
        cache.set(Page(id: 1, head: Page.Head(title: "t", note: "n")))
        let json = #"[{"id": 1, "head": {"title": "u"}}]"#
        let stored = cache.store(try JSONDecoder().decode(Payload<[Page]>.self, from: Data(json.utf8)))
        #expect(stored.problems.map(\.reason.description) == ["can't keep 'head.note'"])
        #expect(cache.get(Page.self, id: 1) == Page(id: 1, head: Page.Head(title: "u", note: nil)))
    }
}
