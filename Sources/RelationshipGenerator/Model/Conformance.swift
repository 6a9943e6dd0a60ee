/// The conformance of a type to a protocol, as far as the sources of a target show it.
enum Conformance: Equatable {
    case shown
    /// Conforms in an extension with this `where` clause.
    case conditional(String)
    /// Not known: an inherited type is declared elsewhere, or a macro may add the conformance.
    case unknown
    /// Doesn't conform: all inherited types are known, and the protocol is not among them.
    case missing
}

extension TargetDeclarations {
    /// The conformance of a type, by itself or through inherited types, as far as the sources show it.
    ///
    /// - Parameters:
    ///   - name: The qualified name of the type.
    ///   - protocols: The names of the protocol and of those that refine it; those of entities if omitted.
    /// - Complexity: O(*n*) for *n* declarations of the type and of its inherited types.
    func conformance(of name: String, to protocols: Set<String>? = nil) -> Conformance {
        let protocols = protocols ?? cachableProtocols.union(Self.ownerProtocols)
        var result = Conformance.missing
        for inherited in inheritance(of: name) where resolve(inherited.name, in: inherited.scope) == nil {
            if protocols.contains(inherited.name) {
                if inherited.condition.isEmpty { return .shown }
                result = .conditional(inherited.condition)
            } else if result == .missing, !Self.isKnown(inherited.name) {
                result = .unknown
            }
        }
        return result
    }

    /// The declarations of a type by which it conforms to a protocol without conditions, as far as the sources show.
    func declarations(of name: String, conformingTo protocols: Set<String>) -> [Place] {
        inheritance(of: name).filter {
            $0.condition.isEmpty && protocols.contains($0.name) && resolve($0.name, in: $0.scope) == nil
        }.map(\.declaration)
    }

    /// Whether the sources show that a type conforms to `Cachable`.
    ///
    /// It is `false` for a conditional conformance, because the accessors would have to repeat the conditions.
    func isCachable(_ name: String) -> Bool { conformance(of: name) == .shown }

    /// Whether values of a type can be copied, as far as the sources show.
    ///
    /// A type inherits no suppression of `Copyable` from a protocol, so only its own counts.
    func isCopyable(_ name: String) -> Bool {
        !inheritance(of: name).contains { inherited in
            inherited.scope == name
                && ["Copyable", "Escapable"].contains { inherited.name == "~\($0)" || inherited.name == "~Swift.\($0)" }
        }
    }

    /// The protocols of the target that a type conforms to, as far as the sources show.
    func protocols(of name: String) -> [String] {
        inheritance(of: name).compactMap { inherited in
            resolve(inherited.name, in: inherited.scope).flatMap { type(named: $0)?.kind == .protocol ? $0 : nil }
        }
    }

    /// The inherited types of a type, with the names of the target where it declares them.
    func inheritedNames(of name: String) -> Set<String> {
        Set(inheritance(of: name).map { resolve($0.name, in: $0.scope) ?? $0.name })
    }

    /// An inherited type.
    private struct Inherited {
        /// The name as written.
        let name: String
        /// The type whose declaration has the name.
        let scope: String
        /// The condition of a conditional conformance.
        let condition: String
        /// The declaration of the inheriting type that leads to it.
        let declaration: Place
    }

    /// The inherited types of a type, through protocols, superclasses and type aliases of the target.
    @_optimize(none)
    private func inheritance(of name: String) -> [Inherited] {
        var result: [Inherited] = []
        var seen: Set<String> = []
        var pending = [(name: name, from: Inherited?.none)]
        while let next = pending.popLast() {
            guard seen.insert(next.name).inserted else { continue }
            for place in places(of: next.name) {
                let declaration = self[place]
                let isConditional = declaration.kind == .extension && !declaration.genericWhereClause.isEmpty
                let aliased = declaration.aliasedType.map { [$0] } ?? []
                let macros = declaration.attributes.filter { !Self.isKnownAttribute($0) }
                for name in (declaration.inheritedTypes + aliased).flatMap(Self.components) + macros {
                    let inherited = Inherited(
                        name: name,
                        scope: next.name,
                        condition: isConditional ? declaration.genericWhereClause : next.from?.condition ?? "",
                        declaration: next.from?.declaration ?? place
                    )
                    result.append(inherited)
                    if let resolved = resolve(name, in: next.name) { pending.append((resolved, inherited)) }
                }
            }
        }
        return result
    }

    /// The names in a composition, without attributes, modifiers and generic arguments.
    @_optimize(none)
    private static func components(of type: String) -> [String] {
        type.split(separator: "&").compactMap { component in
            let word = component.split(separator: " ").last { $0.first != "<" }
            return word.map { String($0.prefix { $0 != "<" && $0 != "(" && $0 != ")" }) }
        }
    }

    static let ownerProtocols = spellings(of: "RelationshipOwner", in: "FlatCache")
    static let decodableProtocols = spellings(of: "Decodable", "Codable", in: "Swift")
    static let encodableProtocols = spellings(of: "Encodable", "Codable", in: "Swift")

    /// The names of protocols, with and without their module.
    static func spellings(of names: String..., in module: String) -> Set<String> {
        Set(names.flatMap { [$0, "\(module).\($0)", "\(module)::\($0)"] })
    }

    /// Whether a type that is declared elsewhere is known not to refine `Cachable`.
    private static func isKnown(_ name: String) -> Bool {
        if name.hasPrefix("~") || name.hasPrefix("ExpressibleBy") { return true }
        let parts = QualifiedName.components(of: name)
        guard let last = parts.last, parts.count == 1 || ["Swift", "Foundation"].contains(parts[0]) else {
            return false
        }
        return knownProtocols.contains(String(last))
    }

    private static let knownProtocols = Set(
        words: """
            Sendable Identifiable Codable Encodable Decodable Equatable Hashable Comparable Error LocalizedError \
            CaseIterable RawRepresentable CustomStringConvertible CustomDebugStringConvertible CustomReflectable \
            LosslessStringConvertible Copyable Escapable BitwiseCopyable SendableMetatype AnyObject Any Sequence \
            Collection OptionSet SetAlgebra Observable ObservableObject NSObject NSCoding NSCopying Actor \
            AdditiveArithmetic Strideable String Int Character
            """
    )

    /// Whether an attribute belongs to the language, and so adds no conformance.
    static func isKnownAttribute(_ attribute: String) -> Bool {
        let name = attribute.dropFirst().prefix { $0 != "(" }
        return name.hasPrefix("_") || knownAttributes.contains(String(name))
    }

    private static let knownAttributes = Set(
        words: """
            available frozen usableFromInline MainActor dynamicMemberLookup dynamicCallable objc objcMembers \
            propertyWrapper resultBuilder preconcurrency unchecked retroactive nonobjc globalActor main testable \
            warn_unqualified_access attached
            """
    )
}

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
