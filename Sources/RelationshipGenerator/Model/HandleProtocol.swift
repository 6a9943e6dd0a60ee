/// The protocol by which the handles of a generic entity have accessors: an extension can't name a type for all arguments.
///
///     protocol _BoxOwner: FlatCache.Cachable {
///         associatedtype Content: Sendable
///         var _relationshipOwner: Box<Content> { get set }
///     }
///     extension Box: _BoxOwner { … }
///     extension FlatCache.Cached where Value: _BoxOwner { … }
struct HandleProtocol {
    /// The name, which no type of the target has.
    var name: String
    /// The associated types, which are called like the generic parameters.
    var associatedTypes: [String]
    /// What is required of them beside that: `Content.Element == Int`.
    var conditions: [String]

    /// The associated types as they are declared, on one line.
    var declarations: String { associatedTypes.map { "associatedtype \($0)" }.joined(separator: "; ") }

    /// The conditions as they stand behind the head of the protocol.
    var whereClause: String { conditions.isEmpty ? "" : " where " + conditions.joined(separator: ", ") }
}

extension RelationshipValidation {
    /// The protocol for the handles of a type.
    ///
    /// - Parameter access: The access level of the type, and so of the protocol.
    /// - Returns: `nil` when no protocol can have its generic parameters, as values, packs and what can't be copied, or it isn't
    ///   known which modules that others see it must import for them.
    func handleProtocol(
        of owner: String,
        at place: TargetDeclarations.Place,
        _ access: AccessLevel
    ) -> HandleProtocol? {
        let name = SwiftWords.declared("_" + owner.filter { $0 != "." && $0 != "`" } + "Owner")
        var result = HandleProtocol(name: name, associatedTypes: [], conditions: [])
        guard target.type(named: name) == nil else { return nil }
        var names: Set<String> = []
        for declaration in target.chain(from: place).reversed() {
            let isExtension = declaration.kind == .extension
            guard !isExtension || declaration.genericWhereClause.isEmpty,
                let type = isExtension ? target.type(named: declaration.qualifiedName) : declaration
            else { return nil }
            for parameter in genericParameters(of: type) {
                guard parameter.isPlain, names.insert(parameter.name).inserted else { return nil }
                let constraint = qualified(parameter.constraint, in: owner)
                if parameter.name != "ID" {
                    result.associatedTypes.append(parameter.name + (constraint.isEmpty ? "" : ": \(constraint)"))
                } else if !constraint.isEmpty {
                    // Every entity has that one.
                    result.conditions.append("ID: \(constraint)")
                }
            }
            let condition = qualified(type.genericWhereClause, in: owner)
            if !condition.isEmpty { result.conditions.append(condition) }
        }
        let written = (result.associatedTypes + result.conditions).joined(separator: " ")
        if written.contains("~") { return nil }
        return access <= .internal || Self.names(in: written).allSatisfy { isVisible($0, names) } ? result : nil
    }

    /// Whether a name needs no import that others see.
    private func isVisible(_ name: String, _ parameters: Set<String>) -> Bool {
        parameters.contains(firstComponent(of: name)) || target.type(named: name) != nil
            || TargetDeclarations.isOfStandardLibrary(name)
    }

    /// The names in a text.
    private static func names(in text: String) -> [String] {
        text.split { !isPartOfName($0) }.map(String.init)
    }

    private static func isPartOfName(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_" || character == "."
    }

    /// A text with the names of types as they are called at the top level of the target.
    private func qualified(_ text: String, in scope: String) -> String {
        var result = ""
        var rest = text[...]
        while let start = rest.firstIndex(where: Self.isPartOfName) {
            let name = String(rest[start...].prefix(while: Self.isPartOfName))
            result += rest[..<start] + (target.resolve(name, in: scope) ?? name)
            rest = rest[start...].dropFirst(name.count)
        }
        return result + rest
    }
}
