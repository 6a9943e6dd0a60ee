import Testing

@Suite("Accessors")
struct AccessorTests {
    @Test(
        "The access level is the lowest of property, enclosing types and related type",
        arguments: [
            (
                "public struct Post: Cachable", "public var authorID: String", "public func author(in",
                "public mutating func set"
            ),
            ("public struct Post: Cachable", "var authorID: String", "    func author(in", "    mutating func set"),
            ("struct Post: Cachable", "public var authorID: String", "    func author(in", "    mutating func set"),
            (
                "package struct Post: Cachable", "public var authorID: String", "package func author(in",
                "package mutating func"
            ),
            (
                "public struct Post: Cachable", "public internal(set) var authorID: String", "public func author(in",
                "    mutating"
            ),
            (
                "public struct Post: Cachable", "public private(set) var authorID: String", "public func author(in",
                "public func set"
            ),
            (
                "public struct Post: Cachable", "public let authorID: String", "public func author(in",
                "public func setAuthor"
            ),
        ]
    )
    func access(type: String, property: String, reader: String, setter: String) throws {
        let output = try generate("\(OutputTests.author)\(type) {\n    // relationship: Author\n    \(property)\n}\n")
        #expect(output.contains(reader))
        #expect(output.contains(setter))
    }

    @Test("A related type with a lower access level lowers the level of the accessors")
    func accessOfRelatedType() throws {
        let output = try generate(
            "struct Author: Cachable { let id: String }\npublic struct Post: Cachable {\n// relationship: Author\n"
                + "public let authorID: String\n}\n"
        )
        #expect(output.contains("    func author(in") && output.contains("        var author: _ToOne<Author> {"))
        // A conformance and its members have the access level of the type.
        let visible = output.split(separator: "\n").filter { $0.contains("public") }.map { $0.drop { $0 == " " } }
        #expect(
            visible == [
                "public import FlatCache",
                #"public static var allRelationships: _All { [.init(\.author)] }"#,
                "public static var relationships: Relationships { Relationships() }",
                "public nonisolated struct Relationships: Swift.Sendable {",
            ]
        )
    }

    @Test("An accessor without a setter has no access level for one")
    func setterOfGetter() throws {
        let output = try generate(
            "import FlatCache\npublic struct Post: Cachable {\npublic let id: String\n"
                + "// relationship: Post\npublic internal(set) var parentID: String\n"
                + "// relationship: Post\npublic internal(set) var childID: String?\n}\n"
        )
        #expect(output.contains("    public var parent: Post? {"))
        #expect(output.contains("    public internal(set) var child: Post? {"))
    }

    @Test(
        "An accessor is one call, which overload resolution chooses by the property's type",
        arguments: [
            ("var authorID: String", "Author?", "Author"), ("var authorID: String?", "Author?", "Author?"),
            ("var authorIDs: [String]", "[Author]", "[Author]"),
            ("var authorIDs: Set<String?>?", "[Author]?", "[Author]?"),
        ]
    )
    func accessors(property: String, found: String, all: String) throws {
        let output = try generate(
            OutputTests.author + "struct Post: Cachable {\n// relationship: Author\n\(property)\n}"
        )
        let name = property.contains("IDs") ? "authors" : "author"
        let fetch = "fetch" + name.prefix(1).uppercased() + name.dropFirst()
        let path = "self.\(property.dropFirst(4).prefix { $0 != ":" })"
        let getter = "FlatCache._related(\(path), of: Self.self)"
        let accessor =
            found == "Author?" && all == "Author"
            ? "    var \(name): \(found) { \(getter) }\n"
            : """
                var \(name): \(found) {
                    get { \(getter) }
                    set { FlatCache._relate(&\(path), to: newValue, in: .current._used(by: Self.self)) }
                }

            """
        #expect(output.contains(accessor))
        #expect(
            output.contains(
                "    func \(name)(in cache: FlatCache) -> \(found) { FlatCache._related(\(path), in: cache, of: Self.self) }\n"
            )
        )
        #expect(
            output.contains(
                """
                    @discardableResult func \(fetch)(
                        _ policy: FlatCache.FetchPolicy = .cacheFirst, in cache: FlatCache = .current,
                        isolation: isolated (any _Concurrency.Actor)? = #isolation
                    ) async throws(FlatCache.FetchError) -> \(all) {
                        try await FlatCache._fetch(\(path), policy, in: cache._used(by: Self.self), isolation: isolation)
                    }

                """
            )
        )
        #expect(
            output.contains(
                """
                    mutating func set\(fetch.dropFirst(5))(_ related: \(all), in cache: FlatCache = .current) {
                        FlatCache._relate(&\(path), to: related, in: cache._used(by: Self.self))
                    }

                """
            )
        )
    }

    @Test("The setter of a constant throws and passes the name of the property")
    func constant() throws {
        for property in ["let authorID: String", "private(set) var authorID: String"] {
            let output = try generate(OutputTests.author + "struct Post {\n// relationship: Author\n\(property)\n}")
            #expect(
                output.contains(
                    """
                        func setAuthor(_ related: Author, in cache: FlatCache = .current) throws(FlatCache.RelationshipError) {
                            try FlatCache._relate(self.authorID, "Post.authorID", to: related, in: cache)
                        }

                    """
                )
            )
        }
    }
}
