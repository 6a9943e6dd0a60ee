import RelationshipGenerator
import RelationshipTemplates
import Testing

@Suite("Entities with a == of their own")
struct OwnEqualityTests {
    private func report(_ source: String) -> TargetReport {
        let generator = RelationshipGenerator(target: "Blog", template: Templates.relationships)
        return generator.report(on: [.init(path: "Post.swift", text: Array("import FlatCache\n\(source)".utf8))])
    }

    private static let equality = "static func == (lhs: Self, rhs: Self) -> Bool { lhs.id == rhs.id }"

    @Test(
        "N1: Each write of an entity with a == in the sources notifies",
        arguments: [
            "struct Post: Cachable, Hashable { let id: Int; \(equality) }",
            "struct Post: Cachable { let id: Int }\nextension Post: Equatable { \(equality) }",
            "enum Post: Cachable { case a(Int); var id: Int { 1 }; public static func ==(a: Post, b: Post) -> Bool { true } }",
            "struct Post: Cachable { let id: Int; static func ==<T>(lhs: Self, rhs: T) -> Bool { true } }",
            """
            struct Post: Cachable, ComparedByID { let id: Int }
            protocol ComparedByID: Identifiable, Equatable {}
            extension ComparedByID { \(equality) }
            """,
        ]
    )
    func partial(source: String) throws {
        #expect(try generate(source).hasSuffix("\n\nnonisolated extension Post: FlatCache.PartialEquality {}\n"))
        #expect(report(source).notes.map(\.message).contains { $0.contains("each write of a 'Post' notifies") })
        let generator = RelationshipGenerator(target: "Blog", template: Templates.relationships)
        let needed = try generator.generateIfNeeded(from: [.init(path: "Post.swift", text: Array(source.utf8))])
        #expect(needed?.contains("import FlatCache\n") == true)
    }

    @Test(
        "Nothing is generated for others",
        arguments: [
            "struct Post: Cachable, Equatable { let id: Int }",
            "struct Post: Equatable { let id: Int; \(equality) }",
            "struct Post: Cachable { let id: Int; func == (lhs: Self, rhs: Self) -> Bool { true } }",
            "struct Post: Cachable { let id: Int; \(equality) }\nextension Post: FlatCache.PartialEquality {}",
            "struct Post: Cachable, PartialEquality { let id: Int; \(equality) }",
            "func f() { struct Post: Cachable { let id: Int; \(equality) } }",
        ]
    )
    func others(source: String) throws {
        #expect(try !generate(source).contains("nonisolated extension"))
        #expect(report(source).notes.isEmpty)
    }

    @Test("An entity that other files can't name has a note")
    func hidden() throws {
        let source = "private struct Post: Cachable { let id: Int; \(Self.equality) }"
        #expect(try !generate(source).contains("nonisolated extension"))
        let notes = report(source).notes.map(\.message)
        #expect(notes.count == 1 && notes[0].contains("because 'Post' is private"))
    }

    @Test("The conformance has the access level, conditions and availability of the type")
    func surroundings() throws {
        let source = """
            import FlatCache
            #if DEBUG
            @available(macOS 15, *)
            public struct Post: Cachable { public let id: Int; \(Self.equality) }
            #endif
            """
        let output = try generate(source)
        #expect(output.contains("public import FlatCache"))
        #expect(
            output.hasSuffix(
                """
                #if DEBUG
                @available(macOS 15, *)
                nonisolated extension Post: FlatCache.PartialEquality {}
                #endif

                """
            )
        )
    }
}
