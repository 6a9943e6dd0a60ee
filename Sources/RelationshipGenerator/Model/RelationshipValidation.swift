/// Turns what the scanner found in the files of a target into relationships that can be generated, or says why not.
struct RelationshipValidation {
    let target: TargetDeclarations
    private(set) var relationships: [Relationship] = []
    private(set) var diagnostics: [Diagnostic] = []

    /// The annotation that is being looked at.
    struct Subject {
        var annotation: Annotation
        var payload: AnnotationPayload
        var place: TargetDeclarations.Place
        var owner: TypeDeclaration
        var property: PropertyDeclaration
    }

    init(_ target: TargetDeclarations) {
        self.target = target
    }

    /// Looks at all annotations of all files.
    mutating func validate() {
        for (file, scanned) in target.files.enumerated() {
            diagnostics += scanned.diagnostics
            var annotated: Set<[Int]> = []
            for annotation in scanned.annotations {
                do throws(Problem) {
                    let subject = try subject(of: annotation, in: file)
                    if case .property(let type, let property) = annotation.attachment,
                        !annotated.insert([type, property]).inserted
                    {
                        throw Problem(
                            annotation.location,
                            "'\(subject.property.name)' already has a relationship; a property can have one"
                        )
                    }
                    relationships.append(try relationship(of: subject))
                } catch {
                    report(error, in: file)
                }
            }
        }
        checkCollisions()
    }

    mutating func report(_ problem: Problem, in file: Int) {
        diagnostics.append(
            Diagnostic(path: target.files[file].path, location: problem.location, message: problem.message)
        )
    }

    /// The property that an annotation stands on.
    private func subject(of annotation: Annotation, in file: Int) throws(Problem) -> Subject {
        let payload: AnnotationPayload
        switch annotation.payload {
        case .success(let read): payload = read
        case .failure(let error): throw Problem(error, at: annotation.location)
        }
        if annotation.style != .line {
            throw Problem(
                annotation.location,
                "an annotation is written as a '//' comment: '// relationship: \(payload.target)'"
            )
        }
        switch annotation.attachment {
        case .nothing(let reason): throw Problem(reason, at: annotation.location)
        case .unsuitable(let declaration, _): throw Problem(declaration, at: annotation.location)
        case .property(let type, let property):
            let place = TargetDeclarations.Place(file: file, type: type)
            let owner = target[place]
            return Subject(
                annotation: annotation,
                payload: payload,
                place: place,
                owner: owner,
                property: owner.properties[property]
            )
        }
    }

    private func relationship(of subject: Subject) throws(Problem) -> Relationship {
        try checkOwner(of: subject)
        let shape = try shape(of: subject)
        let names = try names(for: subject, shape)
        let related = try relatedType(of: subject)
        try checkIdentifier(shape.identifier, of: subject, related: related)
        let property = subject.property
        let ownerAccess = target.access(of: subject.owner, in: subject.place.file)
        let isPublicByExtension = subject.owner.kind == .extension ? subject.owner.access : nil
        var access = min(property.access ?? isPublicByExtension ?? .internal, ownerAccess, .public)
        if let declaration = target.type(named: related) {
            let file = target.files.indices.first { file in
                target.files[file].types.contains { $0.location == declaration.location && $0.qualifiedName == related }
            }
            access = min(access, target.access(of: declaration, in: file ?? subject.place.file))
        }
        let setter = min(access, property.setterAccess ?? access)
        return Relationship(
            owner: subject.owner.qualifiedName,
            hasHandle: !isGeneric(subject.place) && target.isCachable(subject.owner.qualifiedName),
            ownerAvailability: target.chain(from: subject.place).reversed().flatMap(\.availability),
            ownerConditions: subject.owner.conditions,
            property: property,
            shape: shape,
            target: related,
            names: names,
            access: access,
            setterAccess: property.isVariable && setter > .fileprivate ? setter : nil,
            origin: "\(fileName(subject.place.file)):\(subject.annotation.location.line)",
            file: subject.place.file,
            location: subject.annotation.location
        )
    }

    private func fileName(_ file: Int) -> String {
        let path = target.files[file].path
        return path.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? path
    }

    private func isGeneric(_ place: TargetDeclarations.Place) -> Bool {
        target.chain(from: place).contains { !isPlain($0) }
    }

    /// Whether neither the declaration nor, of an extension, the type that it extends is generic.
    private func isPlain(_ declaration: TypeDeclaration) -> Bool {
        if !declaration.genericParameters.isEmpty { return false }
        guard declaration.kind == .extension else { return true }
        return target.type(named: declaration.qualifiedName)?.genericParameters.isEmpty ?? true
    }

    private func checkOwner(of subject: Subject) throws(Problem) {
        let location = subject.annotation.location
        let owner = subject.owner
        if owner.isLocal {
            throw Problem(
                location,
                "'\(owner.name)' is local to a function, where no accessor can be added; declare it outside"
            )
        }
        guard owner.kind == .struct else {
            throw Problem(
                location,
                "relationships belong to the stored properties of a struct; '\(owner.name)' is \(owner.kind.withArticle)"
            )
        }
        for declaration in target.chain(from: subject.place) {
            guard let access = declaration.access, access <= .fileprivate else { continue }
            throw Problem(
                location,
                "'\(declaration.name)' is \(access.rawValue), out of reach of the generated accessors; "
                    + "make it at least internal"
            )
        }
        if let access = subject.property.access, access <= .fileprivate {
            throw Problem(
                location,
                "'\(subject.property.name)' is \(access.rawValue), out of reach of the generated accessors; "
                    + "make it at least internal"
            )
        }
    }

    private func shape(of subject: Subject) throws(Problem) -> IdentifierShape {
        let name = subject.property.name
        guard let type = subject.property.type else {
            throw Problem(
                subject.annotation.location,
                "the type of '\(name)' must be written, as in '\(name): \(subject.payload.target).ID'"
            )
        }
        guard let shape = IdentifierShape(type) else {
            throw Problem(
                subject.annotation.location,
                "'\(name)' has the type '\(type)'; a relationship needs an identifier, or an array or set of identifiers"
            )
        }
        return shape
    }

    private func names(for subject: Subject, _ shape: IdentifierShape) throws(Problem) -> AccessorNames {
        let property = subject.property.name
        let location = subject.annotation.location
        let stem = NameRules.stem(of: property)
        if let stem, stem.isPlural != shape.isToMany {
            let type = subject.property.type ?? ""
            let singular = property.hasSuffix("s") ? String(property.dropLast()) : property
            throw Problem(
                location,
                stem.isPlural
                    ? "'\(property)' is named like several identifiers and has the type '\(type)' of one; "
                        + "write '\(singular): \(type)' or '\(property): [\(type)]'"
                    : "'\(property)' is named like one identifier and has the type '\(type)' of several; "
                        + "write '\(property)s: \(type)'"
            )
        }
        var accessor = subject.payload.accessorName
        if accessor == nil {
            guard let stem else {
                throw Problem(
                    location,
                    "no accessor name can be derived from '\(property)', which does not end in 'ID' or 'IDs'; "
                        + "write '// relationship: \(subject.payload.target), name: …'"
                )
            }
            if shape.isToMany && NameRules.isIrregular(stem.stem) {
                throw Problem(
                    location,
                    "the plural of '\(NameRules.lastWord(of: stem.stem).lowercased())' is irregular; "
                        + "write '// relationship: \(subject.payload.target), name: …'"
                )
            }
            accessor = shape.isToMany ? NameRules.plural(of: stem.stem) : stem.stem
        }
        let name = accessor ?? property
        if SwiftWords.unusable.contains(name) {
            throw Problem(
                location,
                "'\(name)' can't be the name of an accessor; write '// relationship: \(subject.payload.target), name: …'"
            )
        }
        return AccessorNames(accessor: name, property: property)
    }

    /// The related type, qualified if the target declares it.
    private func relatedType(of subject: Subject) throws(Problem) -> String {
        let name = subject.payload.target
        let location = subject.payload.targetLocation
        if let resolved = target.resolve(name, in: subject.owner.qualifiedName), let type = target.type(named: resolved)
        {
            if type.kind == .protocol {
                throw Problem(location, "'\(name)' is a protocol; a relationship needs the type of the entities")
            }
            if !type.genericParameters.isEmpty {
                throw Problem(
                    location,
                    "'\(name)' is generic; name one of its types by a type alias, and write that in the annotation"
                )
            }
            return resolved
        }
        let module = name.split(separator: ".").first.map(String.init) ?? name
        let isImported = target.files[subject.place.file].imports.contains { $0.module == module }
        if name.contains("."), isImported { return name }
        let suggestion = EditDistance.suggestion(for: name, from: target.typeNames)
        throw Problem(
            location,
            "'\(name)' is not a type of this target"
                + (suggestion.map { "; did you mean '\($0)'?" }
                    ?? "; write a type of another module with its module, as in 'Module.\(name)', and import that")
        )
    }

    private func checkIdentifier(_ identifier: String, of subject: Subject, related: String) throws(Problem) {
        guard let declaration = target.type(named: target.unaliased(related, in: subject.owner.qualifiedName)),
            let expected = target.declarations(of: declaration.qualifiedName).lazy
                .flatMap(\.properties).first(where: { $0.name == "id" })?.type
        else { return }
        let actual = target.unaliased(identifier, in: subject.owner.qualifiedName)
        let wanted = target.unaliased(expected, in: declaration.qualifiedName)
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
