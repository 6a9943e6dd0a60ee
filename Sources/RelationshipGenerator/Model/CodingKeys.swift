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
