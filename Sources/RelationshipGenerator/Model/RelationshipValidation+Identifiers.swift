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
