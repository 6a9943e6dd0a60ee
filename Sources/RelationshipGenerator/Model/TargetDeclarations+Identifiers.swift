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
