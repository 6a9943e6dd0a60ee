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
