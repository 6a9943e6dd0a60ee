import SeededRandom

/// A target with annotated models, before it is text: what is random in it is decided, and parts can be left out.
struct Sketch {
    var mode: CompilerMode
    /// What the most visible models are.
    var ceiling: Access
    var namespaces: [Namespace]
    var models: [Model]
    /// How the files of the target are written; that is their number, too.
    var files: [FileStyle]
    /// The annotated cases of an enum.
    var cases: [CaseLink] = []
    /// A line with a mistake, in a target that is otherwise right.
    var mistake: PlacedMistake?

    static let module = "Zoo"
}

enum Access: Int, Comparable {
    case `internal`, package, `public`

    static func < (lhs: Access, rhs: Access) -> Bool { lhs.rawValue < rhs.rawValue }

    /// What stands before a declaration.
    var prefix: String { ["", "package ", "public "][rawValue] }
}

/// A type that is there for others to be nested in.
struct Namespace {
    var name: String
    var keyword: String
    var access: Access
    var parent: Int?
    var file: Int
}

/// A struct with annotated properties.
struct Model {
    enum Conformance: CaseIterable {
        case direct, composed, byProtocol, byExtension, none
    }

    var name: String
    var namespace: Int?
    /// Whether it is declared in an extension of its namespace, in a file of its own choice.
    var isInExtension: Bool
    var file: Int
    var access: Access
    var generics: Generics?
    var conformance: Conformance
    /// Where an extension makes it conform.
    var extensionFile: Int
    var identifier: IdentifierKind
    var condition: Condition?
    var isAvailableLater: Bool
    var links: [Link]
    /// How it is decoded; `nil` for one that isn't, or is no entity.
    var decoding: Decoding?
    var noise: [String]
    /// What stands before it, or before what makes it conform.
    var before: String
    /// Whether the shrinker has taken it away.
    ///
    /// The others keep their numbers.
    var isLeftOut = false

    var isEntity: Bool { conformance != .none }
}

struct Generics {
    /// `<Item: Sendable>`, as declared and as a function repeats it.
    var parameters: String
    /// `<Item>`.
    var arguments: String
}

/// How a model is decoded.
struct Decoding {
    /// The protocol that it conforms to, as written.
    var conformance: String
    /// Whether an extension in its file makes it conform.
    var isByExtension: Bool
    /// The modifier and the raw type of its coding keys.
    var modifier: String
    /// The literal of the key of each link; `nil` where it is the name of the property.
    var keys: [String?]
    /// Properties without annotations, each with a name and the line that declares it.
    var properties: [(name: String, line: String)]
}

enum IdentifierKind: CaseIterable {
    case string, int, tagged
}

/// What stands around a model or property.
enum Condition: CaseIterable {
    case on, off, nested, otherwise

    var opening: [String] {
        switch self {
        case .on: ["#if FIRST_BRANCH"]
        case .off: ["#if !FIRST_BRANCH"]
        case .nested: ["#if os(Linux) || os(macOS)", "#if FIRST_BRANCH && !NEVER // as in relationships"]
        case .otherwise: ["#if NEVER", "#elseif NEVER || os(Windows)", "#else"]
        }
    }

    /// Whether what it stands around is compiled.
    func isMet(in mode: CompilerMode) -> Bool {
        switch self {
        case .on, .nested: mode.isFirstBranch
        case .off: !mode.isFirstBranch
        case .otherwise: true
        }
    }

    var closing: [String] { self == .nested ? ["#endif", "#endif"] : ["#endif"] }
}

/// An annotated property.
struct Link {
    enum Container: CaseIterable { case none, array, set, nested, keyed }
    enum Keyword { case constant, variable, privateSetter, internalSetter, observed }

    var property: String
    var accessor: String
    /// Whether the annotation must say how the accessor is called.
    var isNamed: Bool
    var target: Int
    /// The related type as the annotation names it.
    var spelling: String
    var container: Container
    var isOptional: Bool
    var hasOptionalElements: Bool
    /// The type of one identifier, as written.
    var identifier: String
    /// Which of the ways to write the type; the first two are good beside types that are called like the standard ones.
    var typeStyle: Int
    var keyword: Keyword
    var access: Access
    var condition: Condition?
    var layout: Layout
    var payload: PayloadStyle
    var isDeprecated: Bool
    /// The property of the related model that the annotation says to lead back.
    var inverse: String?
    /// The accessor of the related model that the annotation says to lead back.
    var backlink: String?
    /// Whether the backlink is sorted.
    var isSorted = false
    /// What the annotation says to become of the owner when the related entity is removed.
    var deleteRule: String?
    /// The annotation of an index, above that of the relationship.
    var index: String?
}

/// An annotated case of an enum.
struct CaseLink {
    var name: String
    /// Whether the annotation must say how the accessor is called.
    var isNamed: Bool
    var target: Int
    var container: Link.Container
    /// Whether the annotation is behind the case.
    var isBehind: Bool
    var condition: Condition?

    var accessor: String { isNamed ? "given" + Words.capitalized(name) : name }
}

/// How a property and its annotation are arranged.
enum Layout: CaseIterable {
    case above, behind, aboveDocumentation, belowDocumentation, aboveAttribute, scattered, behindSemicolon, aboveProse
}

/// How the annotation is written.
struct PayloadStyle {
    var beginning: String
    var comma: String
    var prose: String
    /// Which key is the first.
    var firstKey: Int
}

struct FileStyle {
    var lineEnd: String
    var hasByteOrderMark: Bool
    var indentation: String
    var endsInLine: Bool
}
