/// The keys from which an entity type, or another type with relationships, is decoded.
///
/// It is a class for the same reason as ``PropertyDeclaration``, and so are its keys.
final class PayloadTable {
    /// A decoded property.
    final class Key {
        /// The way in which the table refers to the property.
        enum Form {
            /// By a key path.
            case readable
            /// By a key path to the wrapped value; the decoded value is the property wrapper.
            ///
            /// The types are given as expressions. The type of the wrapper is `nil` if the sources don't show it.
            case wrapped(type: String?, related: String?)
            /// By a key path to the value of an `Omittable`, and the related type of a relationship.
            case omittable(related: String?)
            /// By the type, given as an expression, because no other file can refer to the property.
            case hidden(type: String)
            /// By a key path; the property has no coding key.
            case local
            /// By a key path and the related type, given as an expression.
            case related(type: String)
            /// By the related type, given as an expression, because the owner isn't an entity.
            case linked(type: String)
        }

        let property: PropertyDeclaration
        /// The coding key, or the name of a property that has none.
        let name: String
        /// The `#if` branches around the property or the case of its coding key, inside those around the type.
        let conditions: [ConditionalBranch]
        let form: Form
        /// The related type of a relationship.
        let related: String?
        /// Whether the value is the identifier, and the key has another name than `id`.
        let isIdentifier: Bool
        /// The other keys at which an identifier or a related entity can be, in the order of precedence.
        var alternatives: [String] = []

        init(
            _ property: PropertyDeclaration,
            name: String,
            _ form: Form,
            conditions: [ConditionalBranch],
            related: String? = nil,
            isIdentifier: Bool = false
        ) {
            self.property = property
            self.name = name
            self.form = form
            self.conditions = conditions
            self.related = related
            self.isIdentifier = isIdentifier
        }

        /// Whether the property has a coding key.
        var isDecoded: Bool {
            if case .local = form { false } else { true }
        }

        /// Whether entities can stand in the place of identifiers.
        var isRelated: Bool {
            switch form {
            case .related, .linked, .wrapped(_, .some), .omittable(.some): true
            default: false
            }
        }
    }

    /// The type, qualified: `Blog.Post`.
    let owner: String
    /// The location of the type's name.
    let location: SourceLocation
    /// Whether the type is an entity.
    let isEntity: Bool
    /// Whether payloads keep what they leave out of a value: of an entity, or of a structure in one.
    ///
    /// The table of another type has only relationships.
    let isMerged: Bool
    /// Whether the keys are learnt from decodings, because the type is an enumeration.
    let isLearnt: Bool
    /// The number of the file that declares the type.
    let file: Int
    /// The access level of the type.
    var access = AccessLevel.internal
    /// The `@available` attributes of the type and of its conformances.
    var availability: [String] = []
    /// The `#if` branches around the type and its conformances.
    var conditions: [ConditionalBranch] = []
    /// The keys, in the order of the properties; empty if no table is generated.
    var keys: [Key] = []
    /// The properties that payloads can't keep, and the keys that the table doesn't have.
    var notes: [Diagnostic] = []

    init(of type: TypeDeclaration, in file: Int, isEntity: Bool, isMerged: Bool, isLearnt: Bool = false) {
        owner = type.qualifiedName
        location = type.location
        self.file = file
        self.isEntity = isEntity
        self.isMerged = isMerged
        self.isLearnt = isLearnt
    }

    /// Whether a property is deprecated, so that the table must be, too.
    var isDeprecated: Bool {
        keys.contains { $0.property.availability.contains { $0.contains("deprecated") } }
    }

    /// Whether the table names types as the file with the type does, so that it needs the same imports.
    var needsImportsOfFile: Bool {
        keys.contains { key in
            switch key.form {
            case .hidden, .wrapped(.some, _): true
            default: false
            }
        }
    }
}

/// The properties of a type that keep no value when a payload leaves out their keys.
///
/// A variable is assigned by generated code. Another property is kept by `init(from:)`, which reads the values that are
/// stored: those of readable properties, or those that `encode(to:)` writes.
struct PayloadLosses {
    private let type: String
    /// Whether the type is an entity, and not a structure in one.
    private let isEntity: Bool
    /// Whether the type has an `init(from:)` written by hand.
    let hasOwnInitializer: Bool
    private let isEncodable: Bool
    /// The properties that only an `init(from:)` written by hand can keep.
    private var uncertain: [PropertyDeclaration] = []
    private var unreadable: [PropertyDeclaration] = []
    private var wrapped: [PropertyDeclaration] = []
    private var reset: [PropertyDeclaration] = []

    init(type: String, isEntity: Bool, in target: TargetDeclarations) {
        self.type = type
        self.isEntity = isEntity
        hasOwnInitializer = target.hasOwnDecodingInitializer(type)
        isEncodable = target.conformance(of: type, to: TargetDeclarations.encodableProtocols) == .shown
    }

    /// Adds a property without a coding key, which decoding sets to its initial value.
    mutating func addReset(_ property: PropertyDeclaration) { reset.append(property) }

    /// Adds a property if payloads can't keep it.
    mutating func check(_ property: PropertyDeclaration, isWrapped: Bool) {
        let isSettable = property.isSettableElsewhere
        guard !isSettable || property.isHidden || !isEntity && isWrapped else { return }
        if hasOwnInitializer {
            uncertain.append(property)
        } else if !isEncodable, property.isHidden {
            unreadable.append(property)
        } else if !isEncodable, isWrapped {
            wrapped.append(property)
        }
    }

    /// The notes, one for each reason.
    var notes: [Diagnostic] {
        [
            uncertain.isEmpty ? nil : .keptByInitializer(uncertain),
            unreadable.isEmpty ? nil : .unreadableAbsent(unreadable, of: type),
            wrapped.isEmpty ? nil : .wrappedAbsent(wrapped, of: type, isEntity: isEntity),
            reset.isEmpty ? nil : isEntity ? .resetByDecoding(reset) : .resetInEntity(reset, of: type),
        ].compactMap { $0 }
    }
}

extension TargetDeclarations {
    /// Whether a type has an `init(from:)` written by hand.
    func hasOwnDecodingInitializer(_ type: String) -> Bool {
        ([type] + protocols(of: type)).flatMap(declarations).contains {
            $0.kind != .protocol && $0.hasDecodingInitializer
        }
    }
}

extension PropertyDeclaration {
    /// Whether other files of the module can set the property.
    var isSettableElsewhere: Bool {
        isVariable && (setterAccess ?? access ?? .internal) > .fileprivate
    }
}

/// The coding keys of a type.
enum CodingKeys {
    /// The type has no `CodingKeys`: the names of its properties.
    case propertyNames
    /// Enums of the type.
    ///
    /// They have different branches of conditional compilation if there are several, or if there are branches without one.
    case enums([Enum], hasOtherBranches: Bool)
    /// The sources don't show the keys.
    case unreadable(Diagnostic)

    /// One of the enums.
    struct Enum {
        /// The branches around it, inside those around the type.
        let conditions: [ConditionalBranch]
        let cases: [CodingKeyCase]
    }

    /// A key of a property, and the branches in which it is declared.
    struct Key {
        let name: String
        let conditions: [ConditionalBranch]
    }

    /// The keys of a property.
    ///
    /// - Returns: Several keys in different branches of conditional compilation; none if the property isn't decoded.
    /// - Throws: The note on a key that can't be read.
    @_optimize(none)
    func keys(of property: String) throws(Diagnostic) -> [Key] {
        switch self {
        case .propertyNames: return [Key(name: property, conditions: [])]
        case .unreadable: return []
        case .enums(let enums, let hasOtherBranches):
            var keys: [Key] = []
            for declaration in enums {
                for key in declaration.cases where key.name == property {
                    guard let name = key.key else { throw .unreadableKey(of: property, at: key.location) }
                    keys.append(Key(name: name, conditions: declaration.conditions + key.conditions))
                }
            }
            if hasOtherBranches {
                keys.append(Key(name: property, conditions: [.branch(outsideOf: enums.map(\.conditions))]))
            }
            return keys
        }
    }
}

extension TargetDeclarations {
    /// The coding keys of a type.
    @_optimize(none)
    func codingKeys(of type: TypeDeclaration) -> CodingKeys {
        let (name, _) = followAliases(from: "\(type.qualifiedName).CodingKeys", in: "")
        guard self.type(named: "\(type.qualifiedName).CodingKeys") != nil else { return .propertyNames }
        var enums: [CodingKeys.Enum] = []
        for declaration in declarations(of: name) {
            guard declaration.kind != .extension,
                !ConditionalBranch.areExclusive(declaration.conditions, type.conditions)
            else { continue }
            if let reason = objection(to: declaration) {
                return .unreadable(.unreadableKeys(of: type.qualifiedName, reason, at: declaration.location))
            }
            let conditions = declaration.conditions.filter { !type.conditions.contains($0) }
            enums.append(CodingKeys.Enum(conditions: conditions, cases: declaration.codingKeys))
        }
        if name != "\(type.qualifiedName).CodingKeys", self.type(named: name) == nil {
            let reason = "is not an enum of this target"
            return .unreadable(.unreadableKeys(of: type.qualifiedName, reason, at: type.location))
        }
        if enums.isEmpty { return .propertyNames }
        return .enums(enums, hasOtherBranches: !Self.coverAllBranches(enums.map(\.conditions)))
    }

    /// The reason why the keys of a type of coding keys can't be read.
    private func objection(to declaration: TypeDeclaration) -> String? {
        if declaration.kind != .enum { return "is not an enum" }
        let members = declarations(of: declaration.qualifiedName).flatMap(\.memberNames)
        let computed = members.first { !$0.isStatic && ["stringValue", "rawValue"].contains($0.name) }
        return computed.map { "computes '\($0.name)'" }
    }

    /// Whether one of several declarations is always compiled.
    @_optimize(none)
    private static func coverAllBranches(_ conditions: [[ConditionalBranch]]) -> Bool {
        if conditions.contains(where: \.isEmpty) { return true }
        let chains = Set(conditions.filter { $0.count == 1 }.map { $0[0].directives })
        return chains.contains { chain in
            chain.last == "#else" && chain.indices.dropFirst().allSatisfy { chains.contains(Array(chain[..<$0])) }
        }
    }
}
