/// A rule for the entities that refer to a removed one.
///
/// Another part of the library has the subclass, which applies it.
@usableFromInline
class RemovalRule: @unchecked Sendable {}  // Subclasses have only constants.

extension EntityTable {
    /// Adds a rule, unless one is known that meets a condition.
    ///
    /// The condition isn't user code.
    func add(_ rule: RemovalRule, unless isKnown: (RemovalRule) -> Bool) {
        withAllShards {
            if !removalRules.contains(where: isKnown) { removalRules.append(rule) }
        }
    }
}

/// A rule that a type declares, with the related type.
struct DeclaredRule: Sendable {
    let relatedType: any Cachable.Type
    /// A ``RemovalRule`` of the related type.
    let rule: RemovalRule
}

/// The rules for the entities that refer to a removed one, by the type of that one.
struct DeclaredRules {
    private var rules: [ObjectIdentifier: [RemovalRule]] = [:]
    private var owners: [ObjectIdentifier: [DeclaredRule]] = [:]

    /// Adds the rules of a type, unless they are known.
    ///
    /// - Returns: The rules that are known now.
    mutating func add(_ declared: [DeclaredRule], of owner: any Any.Type) -> [DeclaredRule] {
        if let known = owners[ObjectIdentifier(owner)] { return known }
        owners[ObjectIdentifier(owner)] = declared
        for rule in declared { rules[ObjectIdentifier(rule.relatedType), default: []].append(rule.rule) }
        return declared
    }

    /// The rules that a type declares.
    func declared(by owner: any Any.Type) -> [DeclaredRule] { owners[ObjectIdentifier(owner)] ?? [] }

    /// The rules for removed entities of a type.
    func rules<Value: Cachable>(of type: Value.Type) -> [RemovalRule] {
        rules[ObjectIdentifier(type)] ?? []
    }
}
