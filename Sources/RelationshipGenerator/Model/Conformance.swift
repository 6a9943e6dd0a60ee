/// What the sources of a target show of the conformance of a type to `Cachable`.
enum Conformance: Equatable {
    case shown
    /// An extension conforms, of which this is the `where` clause.
    case conditional(String)
    /// What the type inherits from is declared elsewhere, or a macro may add to it.
    case unknown
    /// All that the type inherits from is known, and `Cachable` is not among it.
    case missing
}

extension TargetDeclarations {
    /// What the sources show of the conformance of a type to `Cachable`, by itself or through what it inherits from.
    ///
    /// - Complexity: O(*n*) for *n* declarations of the type and of what it inherits from.
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
    /// A generic type that conforms under conditions doesn't: the accessors would have to repeat them.
    func isCachable(_ name: String) -> Bool { conformance(of: name) == .shown }

    /// Whether values of a type can be copied, as far as the sources show.
    ///
    /// A protocol only permits what it suppresses: a type that conforms to it suppresses that itself, or doesn't.
    func isCopyable(_ name: String) -> Bool {
        !inheritance(of: name).contains { inherited, scope, _ in
            scope == name
                && ["Copyable", "Escapable"].contains { inherited == "~\($0)" || inherited == "~Swift.\($0)" }
        }
    }

    /// The protocols of the target that the sources show a type to conform to.
    func protocols(of name: String) -> [String] {
        inheritance(of: name).compactMap { inherited, scope, _ in
            resolve(inherited, in: scope).flatMap { type(named: $0)?.kind == .protocol ? $0 : nil }
        }
    }

    /// All that the sources show a type to inherit from, by the names of the target where they are declared there.
    func inheritedNames(of name: String) -> Set<String> {
        Set(inheritance(of: name).map { resolve($0.name, in: $0.scope) ?? $0.name })
    }

    /// All that a type inherits from, through protocols, superclasses and type aliases of the target: the name as written,
    /// the type in whose declaration it is, and the conditions of a conditional conformance.
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

    /// Whether something that is declared elsewhere surely does not refine `Cachable`.
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

    /// Whether an attribute is one of the language, which adds no conformance.
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
