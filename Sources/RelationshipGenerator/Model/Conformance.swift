/// The conformance of a type to `Cachable`, as far as the sources of a target show it.
enum Conformance: Equatable {
    case shown
    /// Conforms in an extension with this `where` clause.
    case conditional(String)
    /// Not known: an inherited type is declared elsewhere, or a macro may add the conformance.
    case unknown
    /// Doesn't conform: all inherited types are known, and `Cachable` is not among them.
    case missing
}

extension TargetDeclarations {
    /// The conformance of a type to `Cachable`, by itself or through inherited types, as far as the sources show it.
    ///
    /// - Complexity: O(*n*) for *n* declarations of the type and of its inherited types.
    func conformance(of name: String) -> Conformance {
        var result = Conformance.missing
        for (inherited, scope, condition) in inheritance(of: name) {
            if resolve(inherited, in: scope) != nil { continue }
            if Self.entityProtocols.contains(inherited) {
                if condition.isEmpty { return .shown }
                result = .conditional(condition)
            } else if result == .missing, !Self.isKnown(inherited) {
                result = .unknown
            }
        }
        return result
    }

    /// Whether the sources show that a type conforms to `Cachable`.
    ///
    /// It is `false` for a conditional conformance, because the accessors would have to repeat the conditions.
    func isCachable(_ name: String) -> Bool { conformance(of: name) == .shown }

    /// Whether values of a type can be copied, as far as the sources show.
    ///
    /// A type inherits no suppression of `Copyable` from a protocol, so only its own counts.
    func isCopyable(_ name: String) -> Bool {
        !inheritance(of: name).contains { inherited, scope, _ in
            scope == name
                && ["Copyable", "Escapable"].contains { inherited == "~\($0)" || inherited == "~Swift.\($0)" }
        }
    }

    /// The protocols of the target that a type conforms to, as far as the sources show.
    func protocols(of name: String) -> [String] {
        inheritance(of: name).compactMap { inherited, scope, _ in
            resolve(inherited, in: scope).flatMap { type(named: $0)?.kind == .protocol ? $0 : nil }
        }
    }

    /// The inherited types of a type, with the names of the target where it declares them.
    func inheritedNames(of name: String) -> Set<String> {
        Set(inheritance(of: name).map { resolve($0.name, in: $0.scope) ?? $0.name })
    }

    /// The inherited types of a type, through protocols, superclasses and type aliases of the target: the name as
    /// written, the type whose declaration has it, and the conditions of a conditional conformance.
    private func inheritance(of name: String) -> [(name: String, scope: String, condition: String)] {
        var result: [(name: String, scope: String, condition: String)] = []
        var seen: Set<String> = []
        var pending = [(name: name, condition: "")]
        while let next = pending.popLast() {
            guard seen.insert(next.name).inserted else { continue }
            for declaration in declarations(of: next.name) {
                let isConditional = declaration.kind == .extension && !declaration.genericWhereClause.isEmpty
                let condition = isConditional ? declaration.genericWhereClause : next.condition
                let aliased = declaration.aliasedType.map { [$0] } ?? []
                let macros = declaration.attributes.filter { !Self.isKnownAttribute($0) }
                for inherited in (declaration.inheritedTypes + aliased).flatMap(Self.components) + macros {
                    result.append((inherited, next.name, condition))
                    if let resolved = resolve(inherited, in: next.name) { pending.append((resolved, condition)) }
                }
            }
        }
        return result
    }

    /// The names in a composition, without attributes, modifiers and generic arguments.
    private static func components(of type: String) -> [String] {
        type.split(separator: "&").compactMap { component in
            let word = component.split(separator: " ").last { $0.first != "<" }
            return word.map { String($0.prefix { $0 != "<" && $0 != "(" && $0 != ")" }) }
        }
    }

    private static let entityProtocols: Set<String> = [
        "Cachable", "FlatCache.Cachable", "FlatCache::Cachable", "RelationshipOwner", "FlatCache.RelationshipOwner",
        "FlatCache::RelationshipOwner",
    ]

    /// Whether a type that is declared elsewhere is known not to refine `Cachable`.
    private static func isKnown(_ name: String) -> Bool {
        if name.hasPrefix("~") || name.hasPrefix("ExpressibleBy") { return true }
        let parts = QualifiedName.components(of: name)
        guard let last = parts.last, parts.count == 1 || ["Swift", "Foundation"].contains(parts[0]) else {
            return false
        }
        return knownProtocols.contains(String(last))
    }

    private static let knownProtocols: Set<String> = [
        "Sendable", "Identifiable", "Codable", "Encodable", "Decodable", "Equatable", "Hashable", "Comparable", "Error",
        "LocalizedError", "CaseIterable", "RawRepresentable", "CustomStringConvertible", "CustomDebugStringConvertible",
        "CustomReflectable", "LosslessStringConvertible", "Copyable", "Escapable", "BitwiseCopyable",
        "SendableMetatype",
        "AnyObject", "Any", "Sequence", "Collection", "OptionSet", "SetAlgebra", "Observable", "ObservableObject",
        "NSObject", "NSCoding", "NSCopying", "Actor", "AdditiveArithmetic", "Strideable", "String", "Int", "Character",
    ]

    /// Whether an attribute belongs to the language, and so adds no conformance.
    private static func isKnownAttribute(_ attribute: String) -> Bool {
        let name = attribute.dropFirst().prefix { $0 != "(" }
        return name.hasPrefix("_") || knownAttributes.contains(String(name))
    }

    private static let knownAttributes: Set<String> = [
        "available", "frozen", "usableFromInline", "MainActor", "dynamicMemberLookup", "dynamicCallable", "objc",
        "objcMembers", "propertyWrapper", "resultBuilder", "preconcurrency", "unchecked", "retroactive", "nonobjc",
        "globalActor", "main", "testable", "warn_unqualified_access", "attached",
    ]
}
