/// The property wrapper of a property.
enum PropertyWrapper {
    /// The library's `Omittable`.
    case omittable
    /// A type, as written in the type with the property.
    case type(String)
    /// The sources don't show the type, because its generic arguments aren't written.
    case unknown
}

extension TargetDeclarations {
    /// Whether a property has a property wrapper, as far as the sources show.
    func isWrapped(_ property: PropertyDeclaration, in owner: String) -> Bool {
        !wrappers(of: property, in: owner).isEmpty
    }

    /// The property wrapper of a property, or `nil` if it has none, as far as the sources show.
    @_optimize(none)
    func wrapper(of property: PropertyDeclaration, in owner: String) -> PropertyWrapper? {
        let wrappers = wrappers(of: property, in: owner)
        guard let attribute = wrappers.first else { return nil }
        // The outer one of several wraps the others, in a type that isn't written.
        guard wrappers.count == 1 else { return .unknown }
        let name = Self.name(of: attribute)
        let meant = unaliased(name, in: owner)
        if resolve(meant, in: "") == nil, Self.omittables.contains(Self.name(of: "@" + meant)) { return .omittable }
        let type = Self.type(of: attribute)
        return isWhole(type, in: owner) ? .type(type) : .unknown
    }

    /// Whether the type of an attribute is known to have all its generic arguments.
    private func isWhole(_ type: String, in owner: String) -> Bool {
        if type.hasSuffix(">") { return !type.split { !($0.isLetter || $0.isNumber || $0 == "_") }.contains("_") }
        let path = Self.withoutArguments(type)
        // An alias can leave out the arguments of a generic type, so that it is generic, too.
        guard let place = place(of: unaliased(path, in: owner)) else { return false }
        guard self[place].attributes.contains("@propertyWrapper") else { return false }
        return (path == type ? chain(from: place) : [self[place]]).allSatisfy { $0.genericParameters.isEmpty }
    }

    private static func withoutArguments(_ type: String) -> String {
        var depth = 0
        var previous: Character?
        return type.filter { character in
            if character == "<" { depth += 1 }
            defer {
                if character == ">", previous != "-" { depth -= 1 }
                previous = character
            }
            return depth == 0
        }
    }

    private func wrappers(of property: PropertyDeclaration, in owner: String) -> [String] {
        property.attributes.filter { attribute in
            !Self.isKnownAttribute(attribute) && !Self.attributesOfProperties.contains(Self.name(of: attribute))
                && !isGlobalActor(attribute, in: owner)
        }
    }

    private static let omittables = spellings(of: "Omittable", in: "FlatCache")

    /// The type of an attribute, without the arguments of its initializer: `Clamped<Int>` for `@Clamped<Int>(1)`.
    private static func type(of attribute: String) -> String {
        var depth = 0
        var previous: Character?
        let type = attribute.dropFirst().prefix { character in
            if character == "<" { depth += 1 }
            if character == ">", previous != "-" { depth -= 1 }
            previous = character
            return character != "(" || depth > 0
        }
        return String(type)
    }

    /// Whether a property belongs to a global actor, so that no key path leads to it.
    func isIsolated(_ property: PropertyDeclaration, in owner: String) -> Bool {
        property.attributes.contains { Self.name(of: $0) == "MainActor" || isGlobalActor($0, in: owner) }
    }

    private func isGlobalActor(_ attribute: String, in owner: String) -> Bool {
        guard let resolved = resolve(Self.name(of: attribute), in: owner) else { return false }
        return declarations(of: resolved).contains { $0.attributes.contains("@globalActor") }
    }

    private static func name(of attribute: String) -> String {
        String(attribute.dropFirst().prefix { $0 != "(" && $0 != "<" })
    }

    /// The attributes of properties in Swift and its standard libraries that aren't property wrappers.
    private static let attributesOfProperties = Set(
        words: """
            inlinable inline backDeployed exclusivity unsafe safe differentiable noDerivative IBOutlet IBInspectable \
            GKInspectable NSCopying NSManaged ObservationIgnored
            """
    )
}

extension TargetDeclarations {
    /// The type that identifies a type of the target, type aliases followed.
    ///
    /// - Returns: `nil` when the sources show no type, or show several in branches of conditional compilation.
    func identifierType(of name: String) -> String? {
        var written = identifiers(of: [name])
        if written.isEmpty { written = identifiers(of: protocols(of: name)) }
        return written.count == 1 ? written.first : nil
    }

    /// The type of an identifier after type aliases of the target and `Author.ID` are replaced by their types.
    @_optimize(none)
    func identifierMeant(by type: String, in scope: String) -> String {
        let unaliased = unaliased(type, in: scope)
        var owner = QualifiedName.components(of: unaliased).map(String.init)
        guard owner.popLast() == "ID", self.type(named: unaliased) == nil else { return Self.plainName(unaliased) }
        let written = owner.joined(separator: ".")
        guard let entity = written.isEmpty || written == "Self" ? scope : resolve(written, in: scope) else {
            return unaliased
        }
        return identifierType(of: followAliases(from: entity, in: "").name) ?? unaliased
    }

    @_optimize(none)
    private func identifiers(of names: [String]) -> Set<String> {
        var result: Set<String> = []
        for name in names {
            for declaration in declarations(of: name) {
                let required = Self.requiredIdentifier(in: declaration.genericWhereClause)
                for type in [declaration.identifierType, required].compactMap({ $0 }) where type != "Self.ID" {
                    result.insert(Self.plainName(unaliased(type, in: name)))
                }
            }
            if result.isEmpty, type(named: "\(name).ID")?.aliasedType != nil {
                result.insert(Self.plainName(unaliased("ID", in: name)))
            }
        }
        // `let id: ID` does not show the type.
        result.remove("ID")
        return result
    }

    /// `String`, where a clause is `ID == String`.
    @_optimize(none)
    private static func requiredIdentifier(in clause: String) -> String? {
        for requirement in clause.split(separator: ",") {
            let words = requirement.split(separator: " ")
            if words.count == 3, words[0] == "ID" || words[0] == "Self.ID", words[1] == "==" { return String(words[2]) }
        }
        return nil
    }

    /// A name without the module prefix of the standard library or of Foundation.
    private static func plainName(_ name: String) -> String {
        for module in ["Swift.", "Foundation.", "Swift::", "Foundation::"] where name.hasPrefix(module) {
            return String(name.dropFirst(module.count))
        }
        return name
    }
}
