import RelationshipGenerator
import RelationshipTemplates
import Testing

@Suite("Notes on keys")
struct PayloadNoteTests {
    /// The notes on the tables of a target.
    private func notes(_ source: String) -> [String] {
        let generator = RelationshipGenerator(target: "Blog", template: Templates.relationships)
        let report = generator.report(on: [.init(path: "Post.swift", text: Array("import FlatCache\n\(source)".utf8))])
        return report.payloads.flatMap(\.notes).map(\.description)
    }

    private func notes(_ members: String, type: String) -> [String] {
        notes("\(type) {\n    let id: String\n\(members)\n}\n")
    }

    @Test("Variables, constants and the identifier are kept", arguments: ["Decodable", "Codable"])
    func kept(conformance: String) {
        let members =
            "    var a: Int\n    let b: Int\n    private(set) var c: Int\n    @Clamped<Int> var d: Int\n    let e = 1"
        #expect(notes(members, type: "struct Post: Cachable, \(conformance)") == [])
        #expect(notes("    private var id: String", type: "struct Post: Cachable, Codable").isEmpty)
    }

    @Test("Properties of a structure that isn't an entity need not be kept")
    func structure() {
        let members =
            "    private let a: Int\n    @Clamped private var b: Int\n    // relationship: Post\n    var postID: String"
        let post = "struct Post: Cachable, Codable { let id: String }"
        #expect(notes("struct Page: Decodable {\n\(members)\n}\n\(post)") == [])
    }

    @Test("A private property, and a private setter of a wrapper, are kept only by encoding")
    func encodable() {
        let members = "    private var a: Int\n    fileprivate var b: Int\n    @Clamped<Int> private(set) var c: Int"
        #expect(
            notes(members, type: "struct Post: Cachable, Decodable") == [
                "Post.swift:4:17: note: a payload without their keys can't keep 'a' and 'b', because other files can't refer to them; "
                    + "write 'private(set)' instead of 'private', or make 'Post' conform to 'Encodable'",
                "Post.swift:6:36: note: a payload without its key can't keep 'c', because other files can't set it; "
                    + "declare an internal setter, or make 'Post' conform to 'Encodable'",
            ]
        )
        #expect(notes(members, type: "struct Post: Cachable, Codable") == [])
        let constant = notes("    private let a: Int", type: "struct Post: Cachable, Decodable")
        #expect(constant.first?.contains("refer to it; remove 'private', or make 'Post'") == true)
    }

    @Test("A variable without a coding key is kept, if other files can set it and the initializer is synthesized")
    func locals() {
        let keys = "\n    enum CodingKeys: CodingKey { case id }"
        let type = "struct Post: Cachable, Codable"
        #expect(notes("    var isOpen = false\n    let one = 1\(keys)", type: type) == [])
        #expect(
            notes("    private var a = 0\n    private(set) var b = 0\(keys)", type: type) == [
                "Post.swift:4:17: note: a payload can't keep 'a' and 'b', because they have no coding keys and other files can't set "
                    + "them; declare an internal setter"
            ]
        )
        let initializer = "\n    init(from decoder: any Decoder) throws { id = \"\" }"
        #expect(notes("    private var a = 0\(keys)\(initializer)", type: type) == [])
    }

    @Test("What an initializer of the type reads is unknown", arguments: ["Decodable", "Codable"])
    func initializer(conformance: String) {
        let initializer = "\n    init(from decoder: any Decoder) throws {}"
        #expect(
            notes("    let a: Int\(initializer)", type: "struct Post: Cachable, \(conformance)") == [
                "Post.swift:4:9: note: a payload without its key keeps 'a' only if 'init(from:)' reads the key of this name, because "
                    + "other files can't set it; declare it as a variable with an internal setter"
            ]
        )
        let members = "    let a, b: Int\n    private(set) var c: Int\n    var d: Int\(initializer)"
        #expect(
            notes(members, type: "struct Post: Cachable, \(conformance)") == [
                "Post.swift:4:9: note: a payload without their keys keeps 'a', 'b' and 'c' only if 'init(from:)' reads the keys of "
                    + "these names, because other files can't set them; declare them as variables with an internal setter"
            ]
        )
        let inProtocol = "protocol Model: Codable {}\nextension Model { init(from decoder: any Decoder) throws {} }\n"
        #expect(notes("\(inProtocol)struct Post: Cachable, Model { let id: String; let a: Int }").count == 1)
    }

    @Test(
        "Keys that can't be read are reported where they are declared",
        arguments: [
            (
                "    struct CodingKeys: CodingKey {}",
                "4:12: note: no table of keys is generated for 'Post', because its 'CodingKeys' is not an enum; "
                    + "declare an enum whose raw values are string literals"
            ),
            (
                "    typealias CodingKeys = People.Keys",
                "2:8: note: no table of keys is generated for 'Post', because its 'CodingKeys' is not an enum of this target; "
                    + "declare an enum whose raw values are string literals"
            ),
            (
                "    enum CodingKeys: CodingKey { case id; var stringValue: String { \"\" } }",
                "4:10: note: no table of keys is generated for 'Post', because its 'CodingKeys' computes 'stringValue'; "
                    + "declare an enum whose raw values are string literals"
            ),
            (
                "    var a: Int?\n    enum CodingKeys: String, CodingKey { case id, a = \"\"\"\nx\n\"\"\" }",
                "5:51: note: the table has no key of 'a', because its raw value is not a string literal of one line; write one"
            ),
            (
                "    private var a = make()",
                "4:17: note: the table has no key of 'a', because other files can't refer to it and its type is not written; "
                    + "write the type"
            ),
            (
                "    @Clamped private var a: Int",
                "4:26: note: the table has no key of 'a', because other files can't refer to it and it has a property wrapper; "
                    + "write 'private(set)' instead of 'private'"
            ),
            (
                "    private enum Kind: Codable {}\n    private var a: [Kind]",
                "5:17: note: the table has no key of 'a', because other files can't refer to it and to its type 'Kind'; "
                    + "make 'Kind' at least internal"
            ),
        ]
    )
    func unreadable(members: String, note: String) {
        #expect(notes(members, type: "struct Post: Cachable, Codable") == ["Post.swift:\(note)"])
    }

    @Test(
        "A type that can't have a table is reported",
        arguments: [
            ("private struct Post: Cachable, Codable", "", "2:16", "'Post' is private; make it at least internal"),
            (
                "@MainActor struct Post: Cachable, Codable", "", "2:19",
                "it belongs to the main actor; make it nonisolated"
            ),
            (
                "struct Post: Cachable, Codable", "class FlatCache {}", "2:8",
                "another type has the name 'FlatCache'; rename that type"
            ),
            (
                "struct Post<C: Sendable>: Cachable", "extension Post: Decodable where C: Decodable {}", "2:8",
                "it is decodable only where 'C: Decodable'; write the condition on 'struct Post' itself"
            ),
        ]
    )
    func withoutTable(type: String, others: String, place: String, reason: String) {
        #expect(
            notes("\(type) { let id: String }\n\(others)") == [
                "Post.swift:\(place): note: no table of keys is generated for 'Post', because \(reason)"
            ]
        )
    }

    @Test(
        "The type of a wrapper that isn't shown is reported, if another property is required",
        arguments: [
            ("@Clamped var a: Int\n    var b: Int", true), ("@Clamped var a: Int\n    var b: Int?", false),
            ("@Clamped var a: Int\n    var b: Int? = nil\n    var c = 1", true),
            ("@Clamped @Other var a: Int\n    var b: Int", true),
            ("@Clamped<Int> var a: Int\n    var b: Int", false), ("@Omittable var a: Int?\n    var b: Int", false),
            ("@Bounded var a: Int\n    var b: Int", false), ("@Box var a: Int\n    var b: Int", true),
            ("@Secret var a: Int\n    var b: Int", true), ("@Clamped var a: Int\n    @Omittable var b: Int?", false),
        ]
    )
    func unknownWrapper(members: String, isReported: Bool) {
        let wrappers = """
            @propertyWrapper struct Bounded: Codable { var wrappedValue: Int }
            @propertyWrapper struct Box<Value: Codable>: Codable { var wrappedValue: Value }
            @propertyWrapper private struct Secret: Codable { var wrappedValue: Int }
            """
        let notes = notes("struct Post: Cachable, Codable {\n    let id: String\n    \(members)\n}\n\(wrappers)")
        let expected =
            "note: a payload with 'a' and without a required property is lost before the first complete entity, from which the "
            + "type of the property wrapper is learnt; write its generic arguments, or declare it in this target, at least internal"
        #expect(notes.map { $0.drop { $0 != " " }.dropFirst() } == (isReported ? [expected[...]] : []))
    }

    @Test(
        "An identifier that is computed from more than one decoded property is reported",
        arguments: [
            ("let a: Int\n    var id: Int { a }", nil), ("let a: Int\n    var id: Int { a + 1 }", "5:9"),
            ("let a: Int?\n    var id: Int { a ?? 1 }", nil), ("let a: Int\n    static var id: Int { 1 }", nil),
            ("let a: Int\n    var b: Int { a }\n    var id: Int { b }", "6:9"),
            ("let a: Int\n    let b = 1\n    var id: Int { b }", "6:9"),
            ("let a, b: Int\n    #if A\n    var id: Int { a }\n    #else\n    var id: Int { b }\n    #endif", "6:9"),
        ]
    )
    func computedIdentifier(members: String, place: String?) {
        let expected = place.map {
            "Post.swift:\($0): note: a payload without a required property of 'Post' can't be merged with the stored entity, "
                + "because 'id' is computed; store it, or return one decoded property as 'var id: String { text }' does"
        }
        let notes = notes("\nstruct Post: Cachable, Codable {\n    \(members)\n}")
        #expect(notes == [expected].compactMap { $0 })
    }

    @Test("A table written by hand has no notes")
    func ownTable() {
        #expect(
            notes(
                "struct Post: Cachable, Decodable { let id: String; private var a: Int }\nextension Post: FlatCache.PayloadDecodable {}"
            ).isEmpty
        )
    }
}
