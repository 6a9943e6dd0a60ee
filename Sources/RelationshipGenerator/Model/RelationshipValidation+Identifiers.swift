extension RelationshipValidation {
    @_optimize(none)
    func cardinality(of subject: Subject) throws(Diagnostic) -> Cardinality {
        let name = subject.property.name
        let location = subject.annotation.location
        guard let type = subject.property.type else {
            throw .missingType(of: name, subject.payload.target, at: location)
        }
        for name in ["Set", "Array", "Dictionary", "Optional"]
        where type.contains(name + "<") && !type.contains("Swift.\(name)<") {
            guard target.resolve(name, in: subject.owner.qualifiedName) != nil else { continue }
            throw .ambiguousCollection(name, of: subject.property.name, at: location)
        }
        let written = TypeShape(type)
        let shape = expanded(written, in: subject.owner.qualifiedName)
        guard let cardinality = Cardinality(shape) else {
            throw unsupported(shape, of: subject)
        }
        // The type of the keys is written in the scope of the alias, which is not known here.
        if cardinality.key != nil, Cardinality(written)?.key == nil {
            throw .aliasOfDictionary(written.name, of: subject.property.name, at: location)
        }
        if subject.property.isCase, cardinality.isOptional {
            throw .optionalCase(subject.property.name, at: location)
        }
        return cardinality
    }

    /// A shape with type aliases of the target followed.
    func expanded(_ shape: TypeShape, in scope: String) -> TypeShape {
        let name = shape.name
        let unaliased = target.unaliased(name, in: scope)
        guard unaliased != name else { return shape }
        switch TypeShape(unaliased) {
        // An identifier keeps its name.
        case .name, .other: return shape
        case let inner: return shape.replacingName(with: inner)
        }
    }

    /// The error of a type that holds no identifiers, or holds them in collections that accessors don't support.
    @_optimize(none)
    private func unsupported(_ shape: TypeShape, of subject: Subject) -> Diagnostic {
        let identifier = "\(subject.payload.target).ID"
        var collection = shape
        let optional = collection.removeOptional() ? "?" : ""
        let remedy: String
        switch collection {
        case .name, .optional, .other: return .noIdentifiers(in: subject.property, at: subject.annotation.location)
        case .array(let element) where !element.isCollection, .set(let element) where !element.isCollection:
            return .noIdentifiers(in: subject.property, at: subject.annotation.location)
        case .dictionary(let key, _), .array(.dictionary(let key, _)): remedy = "[\(key): \(identifier)]\(optional)"
        case .array, .set: remedy = "[[\(identifier)]]\(optional)"
        }
        return .unsupportedCollections(
            collection.description,
            in: subject.property,
            declare: remedy,
            at: subject.annotation.location
        )
    }

    /// Checks that the identifiers have the type that identifies the related type, as far as the sources show.
    func checkIdentifier(_ identifier: String, of subject: Subject, _ related: RelatedType) throws(Diagnostic) {
        guard let declaration = related.declaration, let wanted = target.identifierType(of: declaration) else { return }
        let actual = target.identifierMeant(by: identifier, in: subject.owner.qualifiedName)
        guard actual != wanted, isCertain(actual), isCertain(wanted) else { return }
        throw .otherIdentifier(
            identifier,
            of: subject.property.name,
            subject.payload.target,
            identifiedBy: wanted,
            at: subject.annotation.location
        )
    }

    /// Whether a name refers to a known type: a type of the standard library or Foundation, or a type of the target.
    private func isCertain(_ name: String) -> Bool {
        if let declared = target.type(named: name) { return declared.kind != .typealias }
        return Self.standardTypes.contains(name)
    }

    static let standardTypes = Set(
        words: """
            String Substring Character Int Int8 Int16 Int32 Int64 UInt UInt8 UInt16 UInt32 UInt64 Int128 UInt128 Double \
            Float Bool UUID URL Date Data Decimal ObjectIdentifier
            """
    )
}

extension RelationshipValidation {
    @_optimize(none)
    func names(for subject: Subject, _ cardinality: Cardinality) throws(Diagnostic) -> AccessorNames {
        let property = subject.property.name
        let location = subject.annotation.location
        let related = subject.payload.target
        let stem = Inflector.stem(of: property)
        if let stem, stem.isPlural != cardinality.isToMany {
            // The type may be a collection, but the accessors don't support it.
            if stem.isPlural, cardinality.identifier.hasSuffix(">") {
                throw .noIdentifiers(in: subject.property, at: location)
            }
            let type = subject.property.type ?? ""
            throw stem.isPlural
                ? .pluralOfOne(subject.property, type, at: location)
                : .singularOfSeveral(subject.property, type, at: location)
        }
        var accessor = subject.payload.accessorName
        if accessor == nil {
            guard let stem = stem ?? (subject.property.isCase ? (property, false) : nil) else {
                throw .noSuffix(property, related, at: location)
            }
            let isPlural = cardinality.isToMany && stem.stem != property
            if isPlural, let objection = Inflector.objectionToPlural(of: stem.stem) {
                throw .noPlural(objection, related, at: location)
            }
            accessor = isPlural ? Inflector.plural(of: stem.stem) : stem.stem
        }
        let name = accessor ?? property
        guard SwiftWords.isUsable(name) else { throw .unusableName(name, related, at: location) }
        return AccessorNames(accessor: name)
    }
}

/// The check for properties that store entities instead of identifiers.
extension RelationshipValidation {
    @_optimize(none)
    func checkStoresIdentifiers(_ subject: Subject) throws(Diagnostic) {
        let scope = subject.owner.qualifiedName
        guard let type = subject.property.type, let cardinality = Cardinality(type) else { return }
        let related = meaning(of: subject.payload.target, in: scope)
        guard meaning(of: Self.entity(in: cardinality.identifier), in: scope) == related else { return }
        // An entity can be its own identifier.
        if target.identifierType(of: related) == related { return }
        let name = identifierName(for: subject, cardinality)
        let property = subject.property.declaration(
            SwiftWords.declared(name.property),
            Self.identifierType(subject.payload.target, cardinality)
        )
        throw .storedEntities(
            in: subject.property.name,
            areSeveral: cardinality.isToMany,
            declare: property,
            subject.payload.target,
            name: name.accessor,
            at: subject.annotation.location
        )
    }

    /// The name of a type after all type aliases are followed.
    private func meaning(of name: String, in scope: String) -> String {
        name == "Self" ? scope : target.unaliased(name, in: scope)
    }

    /// The entity of a handle's type, without generic arguments.
    private static func entity(in type: String) -> String {
        for handle in ["Cached<", "FlatCache.Cached<"] where type.hasPrefix(handle) && type.hasSuffix(">") {
            return String(type.dropFirst(handle.count).dropLast())
        }
        return String(type.prefix { $0 != "<" })
    }

    /// The type with identifiers in place of entities: `[Comment.ID]?` for `[Comment]?`.
    private static func identifierType(_ entity: String, _ cardinality: Cardinality) -> String {
        let identifier = "\(entity).ID" + (cardinality.hasOptionalElements ? "?" : "")
        let type =
            switch cardinality.container {
            case .none: identifier
            case .array: "[\(identifier)]"
            case .set: "Set<\(identifier)>"
            case .nested: "[[\(identifier)]]"
            case .dictionary(let key): "[\(key): \(identifier)]"
            }
        return type + (cardinality.isOptional ? "?" : "")
    }

    /// The name for a property with the identifiers, and the accessor's name where it can't be derived from the
    /// property's.
    private func identifierName(
        for subject: Subject,
        _ cardinality: Cardinality
    ) -> (property: String, accessor: String?) {
        let name = subject.property.name
        if subject.property.isCase || Inflector.stem(of: name) != nil { return (name, nil) }
        guard cardinality.isToMany else { return (name + "ID", nil) }
        if let singular = Inflector.singular(of: name) { return (singular + "IDs", nil) }
        let entity = (QualifiedName.components(of: subject.payload.target).last ?? "").filter { $0 != "`" }
        return (entity.prefix(1).lowercased() + entity.dropFirst() + "IDs", name)
    }
}

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
