/// A sample target that has a value for each name a template can use, with no list empty.
enum TemplateSample {
    /// The only source of the target, as in `Templates/README.md`.
    static let source = """
        #if canImport(Dispatch)
        import Dispatch
        #endif
        import FlatCache

        #if DEBUG
        @available(macOS 15, *)
        public struct Post: Cachable, Decodable {
            public let id: String
            #if os(macOS)
            // cache: index, unique
            // relationship: Post, backlink: replies, sorted: id
            @available(macOS 15, *)
            public internal(set) var parentID: String?
            #endif
            // relationship: Post, inverse: twinID, delete: nullify
            public var twinID: String?
        }

        @available(macOS 15, *)
        public struct Pin: Cachable, Equatable {
            public let id: String
            public var post: Post?
            public static func == (lhs: Pin, rhs: Pin) -> Bool { lhs.id == rhs.id }
        }
        #endif

        """

    /// The values for rendering a template with the sample target.
    static var values: TemplateValue {
        let files = [Scanner.scan(Array(source.utf8), path: "Post.swift")]
        let validation = RelationshipValidation(TargetDeclarations(files, module: "Models"))
        validation.validate()
        return .object(RelationshipView(validation).values)
    }
}
