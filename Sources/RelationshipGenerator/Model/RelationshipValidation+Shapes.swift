/// The checks of cases, and of dictionaries.
extension RelationshipValidation {
    /// The property that the accessors of a case read.
    @_optimize(none)
    func property(
        of declaration: CaseDeclaration,
        _ related: String,
        at location: SourceLocation
    ) throws(Diagnostic) -> PropertyDeclaration {
        let values = declaration.values
        guard let value = values.first else {
            throw .unsuitable(.enumCase(name: declaration.name), .relationship, at: location)
        }
        if values.count > 1 { throw .severalValues(values.count, in: declaration.name, related, at: location) }
        if let label = value.label { throw .labelledValue(label, of: declaration.name, value.type, at: location) }
        if declaration.isIndirect { throw .indirectCase(declaration.name, at: location) }
        let property = PropertyDeclaration(
            name: declaration.name,
            type: value.type,
            isVariable: true,
            location: declaration.location
        )
        property.isCase = true
        // A case is as visible as its enum.
        property.access = .public
        property.availability = declaration.availability
        property.enclosing = declaration.enclosing
        return property
    }

    /// The type of the keys of a dictionary.
    struct KeyType {
        /// The name that the accessors use for the type.
        let name: String
        /// The name after type aliases are followed, which the sources of the target don't declare, or `nil`.
        var foreignName: String?
        /// The highest access level that accessors can have.
        var access = AccessLevel.public
    }

    @_optimize(none)
    func keyType(_ written: String, of subject: Subject) throws(Diagnostic) -> KeyType {
        let location = subject.annotation.location
        let scope = subject.owner.qualifiedName
        let property = subject.property.name
        guard case .name = TypeShape(written), !written.contains(where: { "< &@".contains($0) }) else {
            throw .unnamedKey(written, of: property, at: location)
        }
        if genericType(around: subject.place, withParameter: firstComponent(of: written)) != nil {
            return KeyType(name: written)
        }
        let components = QualifiedName.components(of: written)
        for count in components.indices.map({ $0 + 1 }).reversed() {
            let name = components[..<count].joined(separator: ".")
            guard let resolved = target.resolve(name, in: scope), let place = target.place(of: resolved) else {
                continue
            }
            for declaration in target.chain(from: place) where declaration.access.map({ $0 <= .fileprivate }) ?? false {
                throw .hiddenKey(declaration.name, of: property, at: location)
            }
            let visible = try nameInside(of: scope, of: resolved, at: location)
            let unaliased = target.unaliased(resolved, in: "")
            return KeyType(
                name: ([visible] + components[count...].map(String.init)).joined(separator: "."),
                foreignName: target.type(named: unaliased) == nil ? unaliased : nil,
                access: target.access(of: target[place], in: place.file)
            )
        }
        return KeyType(name: written, foreignName: written)
    }

    /// The module of a type of keys, which an accessor with a higher access level must import with that level.
    ///
    /// - Returns: `nil` when the type belongs to the target or to Swift, or no import has a higher access level.
    @_optimize(none)
    func module(of key: KeyType, _ access: AccessLevel, in subject: Subject) throws(Diagnostic) -> String? {
        guard let name = key.foreignName, access > .internal else { return nil }
        let imports = target.files[subject.place.file].imports
        let first = firstComponent(of: name)
        if imports.contains(where: { $0.module == first }) { return first }
        if Self.typesOfSwift.contains(first) { return nil }
        let visible = Set(imports.filter { ($0.access ?? .internal) > .internal }.map(\.module))
        let candidates = visible.subtracting(["FlatCache", "Swift"]).sorted()
        if candidates.count < 2 { return candidates.first }
        if Self.typesOfFoundation.contains(first), let module = candidates.first(where: { $0.hasPrefix("Foundation") })
        {
            return module
        }
        throw .keyWithoutModule(name, of: subject.property.name, candidates, at: subject.annotation.location)
    }

    private static let typesOfSwift = standardTypes.subtracting(typesOfFoundation).union([
        "Swift", "AnyHashable", "Self",
    ])

    private static let typesOfFoundation = Set(
        words: """
            UUID URL Date Data Decimal Locale Calendar TimeZone IndexPath DateComponents
            """
    )
}
