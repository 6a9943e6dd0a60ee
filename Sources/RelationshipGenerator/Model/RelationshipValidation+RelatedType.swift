extension RelationshipValidation {
    /// What an annotation names.
    struct RelatedType {
        /// The name by which the accessors can name the type where they stand.
        var name: String
        /// The qualified name of its declaration in the target, type aliases followed, or `nil` when it is declared elsewhere.
        var declaration: String?
        /// The module that declares it, if that is another one and is known.
        var module: String?
        /// The files that declare the type aliases by which it is named.
        var aliasFiles: [Int] = []
        /// What accessors can at most be.
        var access = AccessLevel.public
    }

    func relatedType(of subject: Subject) throws(Problem) -> RelatedType {
        let name = subject.payload.target
        let location = subject.payload.targetLocation
        let scope = subject.owner.qualifiedName
        guard let resolved = name == "Self" ? scope : target.resolve(name, in: scope),
            let place = target.place(of: resolved)
        else { return try importedType(of: subject) }
        if target[place].kind == .protocol {
            throw Problem(location, "'\(name)' is a protocol; a relationship needs the type of the entities")
        }
        // Inside of a generic type its name stands for the type with the parameters at hand.
        let isInside = scope == resolved || scope.hasPrefix(outermostGeneric(around: place) + ".")
        if isGeneric(place), !isInside {
            throw Problem(
                location,
                "'\(name)' is generic; name one of its types by a type alias, and write that in the annotation"
            )
        }
        try checkReach(of: place, at: location)
        let (unaliased, aliasFiles) = target.followAliases(from: resolved, in: "")
        let declaration = target.type(named: unaliased)?.qualifiedName
        // Between the type and where the accessors stand another one of the name may be nested, as the descriptions are.
        let isShadowed =
            target.resolve(resolved, in: scope) != resolved || firstComponent(of: resolved) == "Relationships"
        return RelatedType(
            name: isShadowed ? "\(target.module).\(resolved)" : resolved,
            declaration: declaration,
            module: declaration == nil && unaliased.contains(".") ? firstComponent(of: unaliased) : nil,
            aliasFiles: aliasFiles,
            access: target.access(of: target[place], in: place.file)
        )
    }

    /// The related type as one of another module.
    private func importedType(of subject: Subject) throws(Problem) -> RelatedType {
        let name = subject.payload.target
        let module = firstComponent(of: name)
        let isImported = target.files[subject.place.file].imports.contains { $0.module == module }
        if name.contains("."), isImported { return RelatedType(name: name, module: module) }
        let suggestion = EditDistance.suggestion(for: name, from: target.typeNames)
        throw Problem(
            subject.payload.targetLocation,
            "'\(name)' is not a type of this target"
                + (suggestion.map { "; did you mean '\($0)'?" }
                    ?? "; write a type of another module with its module, as in 'Module.\(name)', and import that")
        )
    }

    private func firstComponent(of name: String) -> String {
        name.split(separator: ".").first.map(String.init) ?? name
    }

    private func outermostGeneric(around place: TargetDeclarations.Place) -> String {
        target.chain(from: place).last { !$0.genericParameters.isEmpty }?.qualifiedName ?? ""
    }

    /// Whether the accessors can have their names beside the related type.
    func check(_ names: AccessorNames, of subject: Subject, _ related: RelatedType) throws(Problem) {
        guard names.accessor == firstComponent(of: related.name) else { return }
        throw Problem(
            subject.annotation.location,
            "the accessor can't have the name of its type, '\(names.accessor)'; "
                + "write '// relationship: \(subject.payload.target), name: …'"
        )
    }

    /// Whether the identifiers can be those of the related type, as far as the sources tell.
    func checkIdentifier(_ identifier: String, of subject: Subject, _ related: RelatedType) throws(Problem) {
        guard let declaration = related.declaration else { return }
        // Branches of conditional compilation may declare different ones.
        let written = Set(target.declarations(of: declaration).compactMap(\.identifierType))
        guard written.count == 1, let expected = written.first else { return }
        let actual = target.unaliased(identifier, in: subject.owner.qualifiedName)
        let wanted = target.unaliased(expected, in: declaration)
        guard actual != wanted, isCertain(actual), isCertain(wanted) else { return }
        throw Problem(
            subject.annotation.location,
            "'\(subject.property.name)' holds '\(identifier)', but '\(subject.payload.target)' is identified by "
                + "'\(expected)'; write '\(subject.payload.target).ID'"
        )
    }

    /// Whether a name means one type for sure: a standard one, or one that the target declares.
    private func isCertain(_ name: String) -> Bool {
        Self.standardTypes.contains(name) || target.type(named: name).map { $0.kind != .typealias } ?? false
    }

    private static let standardTypes: Set<String> = [
        "String", "Substring", "Character", "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16",
        "UInt32",
        "UInt64", "Int128", "UInt128", "Double", "Float", "Bool", "UUID", "URL", "Date", "Data", "Decimal",
        "ObjectIdentifier",
    ]
}
