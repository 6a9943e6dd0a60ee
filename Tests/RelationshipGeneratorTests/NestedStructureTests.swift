import FlatCacheReports
import RelationshipGenerator
import RelationshipTemplates
import Testing

@Suite("Structures in entities")
struct NestedStructureTests {
    private func code(_ source: String) throws -> String { try generate("import FlatCache\n\(source)") }

    private func notes(_ source: String) -> [String] {
        let generator = RelationshipGenerator(target: "Blog", template: Templates.relationships)
        let report = generator.report(on: [.init(path: "Post.swift", text: Array("import FlatCache\n\(source)".utf8))])
        return report.payloads.flatMap(\.notes).map(\.description)
    }

    @Test("P2: A structure in an entity has a table, at every depth")
    func tables() throws {
        let output = try code(
            """
            struct Issue: Cachable, Codable {
                let id: Int
                var fields: Fields?
                struct Fields: Codable {
                    var summary: String
                    private var note: String?
                    let priority: Priority
                    enum CodingKeys: String, CodingKey { case summary = "title", note, priority }
                }
                struct Priority: Codable { let name: String }
            }
            """
        )
        #expect(
            output.contains(
                #"""
                nonisolated extension Issue.Fields: FlatCache.PayloadOwner {
                    static var payloadKeys: [_PayloadKey] {
                        [.init("title", \.summary), .init("note", String?.self), .init("priority", \.priority)]
                    }
                }
                """#
            )
        )
        #expect(
            output.contains(
                #"""
                nonisolated extension Issue.Priority: FlatCache.PayloadOwner {
                    static var payloadKeys: [_PayloadKey] {
                        [.init("name", \.name)]
                    }
                }
                """#
            )
        )
    }

    @Test(
        "P2: Only a structure whose members a payload can leave out has a table",
        arguments: [
            ("var part: Part", "nonisolated struct Part: Decodable", true),
            ("let part: Part?", "nonisolated struct Part: Codable", true),
            ("var part = Part()", "nonisolated struct Part: Decodable", true),
            ("var part: Other", "nonisolated struct Part: Decodable", true),
            ("var part: Optional<Part>", "nonisolated struct Part: Decodable", true),
            ("var part: [Part]", "nonisolated struct Part: Decodable", false),
            ("var part: [String: Part]", "nonisolated struct Part: Decodable", false),
            ("var part: Int", "nonisolated struct Part: Decodable", false),
            ("var part: Part { Part() }", "nonisolated struct Part: Decodable", false),
            ("static var part: Part?", "nonisolated struct Part: Decodable", false),
            ("var part: Part", "nonisolated struct Part", false),
            ("var part: Part", "private struct Part: Decodable", false),
            ("var part: Part", "nonisolated struct Part: Decodable, FlatCache.PayloadOwner", false),
            ("var part: Part<Int>", "nonisolated struct Part<Value: Decodable>: Decodable", false),
            ("var part: Part", "@MainActor struct Part: Decodable", false),
            ("var part: Part", "struct Part: Decodable", false),
            ("var part: Around.Part", "nonisolated enum Around { struct Part: Decodable", true),
            ("var part: Around.Part", "enum Around { struct Part: Decodable", false),
            ("var part: Part", "extension Post { struct Part: Decodable", false),
            ("var part: Part", "nonisolated extension Post { struct Part: Decodable", true),
            ("var part: Part", "final class Part: Decodable", false), ("var part: Part", "enum Part: Decodable", false),
        ]
    )
    func conditions(property: String, part: String, hasTable: Bool) throws {
        let output = try code(
            """
            struct Post: Cachable, Decodable { let id: Int; \(property) }
            \(part) { \(part.hasPrefix("enum Part") ? "case a" : "var a: Int?") }\(part.contains("{") ? " }" : "")
            typealias Other = Part
            """
        )
        #expect(output.contains("Part: FlatCache.PayloadOwner") == hasTable)
    }

    @Test("P2: A structure with an init(from:) of its own has no table")
    func ownInitializer() throws {
        let output = try code(
            """
            struct Post: Cachable, Decodable { let id: Int; var part: Part }
            nonisolated struct Part: Decodable { var a: Int; init(from decoder: any Decoder) throws { a = 1 } }
            """
        )
        #expect(!output.contains("Part: FlatCache"))
    }

    @Test("P2: A structure in an entity that has relationships has one table with all its keys")
    func relationships() throws {
        let output = try code(
            """
            struct Post: Cachable, Codable { let id: Int; var part: Part }
            nonisolated struct Part: Codable {
                // relationship: Post
                var parentID: Post.ID?
                var note: String?
            }
            """
        )
        #expect(
            output.contains(#".init("parentID", \.parentID, Post.self, "parentId", "parent"),"#)
        )
    }

    @Test(
        "P2: A note says what payloads can't keep of a value in an entity",
        arguments: [
            (
                "nonisolated struct Part: Decodable { let a: Int; init(from decoder: any Decoder) { a = 1 } }\n"
                    + "extension Part { enum CodingKeys: CodingKey { case a } }",
                "can't be taken apart; make 'Part' conform to 'Encodable'"
            ),
            ("enum Part: Decodable { case a(Int) }", "can't be taken apart; make 'Part' conform to 'Encodable'"),
            ("nonisolated struct Part: Decodable { private var a: Int }", "make 'Part' conform to 'Encodable'"),
            (
                "nonisolated struct Part: Decodable { @Wrapper var a: Int }",
                "can't refer to the property wrapper of it; remove the wrapper, or make 'Part' conform to 'Encodable'"
            ),
            (
                "nonisolated struct Part: Codable { var a = 1; var b: Int; enum CodingKeys: CodingKey { case b } }",
                "a payload with a 'Part' can't keep 'a', because it has no coding key; move it to the entity"
            ),
            ("nonisolated struct Part: Codable { private var a: Int; @Wrapper var b: Int }", nil),
            ("nonisolated struct Part: Decodable { var a: Int; let b: Int }", nil),
            ("enum Part: Codable { case a(Int), b }", nil),
            ("enum Part: String, Decodable { case a, b }", nil),
            ("nonisolated struct Part: Decodable { init(from decoder: any Decoder) {} }", nil),
        ]
    )
    func losses(part: String, note: String?) {
        let notes = notes("struct Post: Cachable, Decodable { let id: Int; var part: Part }\n\(part)")
        #expect(notes.count == (note == nil ? 0 : 1))
        #expect(notes.first?.contains(note ?? "") ?? true, "\(notes)")
    }

    @Test("P2: explain says that the keys of an enumeration are learnt, which is nothing lost")
    func enumeration() throws {
        let source = "import FlatCache\nenum Account: Cachable, Codable { case a(Int)\nvar id: Int { 1 } }"
        let generator = RelationshipGenerator(target: "Blog", template: Templates.relationships)
        let explanation = Explanation([generator.report(on: [.init(path: "Post.swift", text: Array(source.utf8))])])
        let line = "Post.swift:2:6: keys of Account are learnt from the first complete entity of each case in a process"
        #expect(explanation.text.contains(line), "\(explanation.text)")
        #expect(explanation.payloadNotes.isEmpty)
        #expect(try !code(source).contains("extension Account"))
    }
}
