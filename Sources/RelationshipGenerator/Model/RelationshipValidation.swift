/// Turns the scanned files of a target into valid relationships and errors.
final class RelationshipValidation {
    let target: TargetDeclarations
    var relationships: [Relationship] = []
    /// The backlinks, once for each declaration of the related type.
    var backlinks: [Backlink] = []
    /// The properties with an index, each once.
    var indexes: [IndexedProperty] = []
    /// The errors.
    private(set) var diagnostics: [Diagnostic] = []
    /// The notes, ordered by location.
    var notes: [Diagnostic] = []
    /// The inverses that annotations name.
    private(set) var inverses: [Inverse] = []
    /// The valid inverses, from both sides.
    var keptInverses: [KeptInverse] = []
    /// The properties whose values have relationships.
    var parts: [Part] = []
    /// The entities whose `==` is written in the sources.
    var partialEqualities: [PartialEquality] = []
    /// The annotated properties, with valid or invalid annotations: `Post.authorID`.
    private(set) var annotatedProperties: Set<String> = []

    /// An annotation during its validation.
    final class Subject {
        let annotation: Annotation
        let payload: AnnotationPayload
        let place: TargetDeclarations.Place
        let owner: TypeDeclaration
        let property: PropertyDeclaration

        init(
            annotation: Annotation,
            payload: AnnotationPayload,
            place: TargetDeclarations.Place,
            owner: TypeDeclaration,
            property: PropertyDeclaration
        ) {
            self.annotation = annotation
            self.payload = payload
            self.place = place
            self.owner = owner
            self.property = property
        }
    }

    init(_ target: TargetDeclarations) {
        self.target = target
    }

    /// Validates all annotations of all files.
    @_optimize(none)
    func validate() {
        let isAnnotated = target.files.contains { !$0.annotations.isEmpty }
        let mismatches = target.files.filter { $0.mismatch != nil }
        if isAnnotated, mismatches.contains(where: { $0.mismatch?.isClear == false }) {
            // With unmatched braces, the declarations can't be trusted.
            diagnostics = target.files.flatMap(\.diagnostics) + mismatches.compactMap(\.mismatch?.diagnostic)
            return
        }
        validateAnnotations()
        for file in mismatches where !diagnostics.isEmpty || !file.annotations.isEmpty {
            diagnostics += [file.mismatch?.diagnostic].compactMap { $0 }
        }
    }

    @_optimize(none)
    private func validateAnnotations() {
        for (file, scanned) in target.files.enumerated() {
            diagnostics += scanned.diagnostics
            var annotated: [AnnotationKeyword: Set<SourceLocation>] = [:]
            for annotation in scanned.annotations {
                noteProperty(of: annotation, in: file)
                do throws(Diagnostic) {
                    let subject = try subject(of: annotation, in: file)
                    let keyword = annotation.keyword
                    if !annotated[keyword, default: []].insert(subject.property.location).inserted {
                        throw .secondAnnotation(of: subject.property.name, keyword, at: annotation.location)
                    }
                    if keyword == .cache {
                        add(try index(of: subject))
                        continue
                    }
                    relationships.append(try relationship(of: subject))
                    if let location = subject.payload.inverseLocation, subject.payload.backlink == nil {
                        inverses.append(Inverse(relationship: relationships.count - 1, location: location))
                    }
                    try checkDeleteRule(of: subject, relationships[relationships.count - 1])
                    try addBacklink(of: subject, relationships[relationships.count - 1])
                } catch {
                    report(error)
                }
            }
        }
        checkInverses()
        checkCollisions()
        checkBacklinks()
        checkUsedMembers()
        noteShadowedProperties()
        findParts()
        findPartialEqualities()
    }

    private func noteProperty(of annotation: Annotation, in file: Int) {
        guard annotation.keyword == .relationship else { return }
        switch annotation.attachment {
        case .property(let type, let property):
            let declaration = target.files[file].types[type]
            annotatedProperties.insert("\(declaration.qualifiedName).\(declaration.properties[property].name)")
        case .enumCase(let type, let index):
            let declaration = target.files[file].types[type]
            annotatedProperties.insert("\(declaration.qualifiedName).\(declaration.cases[index].name)")
        case .unsuitable, .nothing: break
        }
    }

    func report(_ diagnostic: Diagnostic) { diagnostics.append(diagnostic) }

    /// The property or case that an annotation is attached to.
    @_optimize(none)
    private func subject(of annotation: Annotation, in file: Int) throws(Diagnostic) -> Subject {
        let payload: AnnotationPayload
        switch annotation.payload {
        case .success(let read): payload = read
        case .failure(let error): throw diagnostic(of: error, in: annotation, file)
        }
        if annotation.style != .line {
            throw .notLineComment(payload, annotation.keyword, at: annotation.location)
        }
        switch annotation.attachment {
        case .nothing(let reason): throw .unattached(reason, at: annotation.location)
        case .unsuitable(let declaration, _):
            throw .unsuitable(declaration, annotation.keyword, at: annotation.location)
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
        case .enumCase(let type, let index):
            let place = TargetDeclarations.Place(file: file, type: type)
            let owner = target[place]
            if annotation.keyword == .cache {
                throw .unsuitable(.enumCase(name: owner.cases[index].name), .cache, at: annotation.location)
            }
            return Subject(
                annotation: annotation,
                payload: payload,
                place: place,
                owner: owner,
                property: try property(of: owner.cases[index], payload.target, at: annotation.location)
            )
        }
    }

    @_optimize(none)
    private func relationship(of subject: Subject) throws(Diagnostic) -> Relationship {
        try checkOwner(of: subject)
        try checkIsNoMember(subject.payload.target, of: subject)
        try checkStoresIdentifiers(subject)
        let cardinality = try cardinality(of: subject)
        let names = try names(for: subject, cardinality)
        let related = try relatedType(of: subject)
        try checkModules(of: subject, names, related)
        try checkIdentifier(cardinality.identifier, of: subject, related)
        let key = try cardinality.key.map { key throws(Diagnostic) in try keyType(key, of: subject) }
        let isPublicByExtension = subject.owner.kind == .extension ? subject.owner.access : nil
        let access = min(
            subject.property.access ?? isPublicByExtension ?? .internal,
            target.access(of: subject.owner, in: subject.place.file),
            related.access,
            key?.access ?? .public,
            .public
        )
        let relationship = Relationship(
            of: subject,
            in: target,
            cardinality,
            names,
            related,
            key: key?.name,
            access: access
        )
        relationship.relatedModule = try module(of: related, access, in: subject)
        if let key { relationship.keyModule = try module(of: key, access, in: subject) }
        return relationship
    }

    /// The file and line of a declaration: `Author.swift:3`.
    func place(of place: TargetDeclarations.Place) -> String {
        "\(target.files[place.file].name):\(target[place].location.line)"
    }

    func isGeneric(_ place: TargetDeclarations.Place) -> Bool {
        target.chain(from: place).contains { !isPlain($0) }
    }

    /// Whether neither the declaration nor the type that an extension extends is generic.
    private func isPlain(_ declaration: TypeDeclaration) -> Bool {
        if !declaration.genericParameters.isEmpty { return false }
        guard declaration.kind == .extension else { return true }
        return target.type(named: declaration.qualifiedName)?.genericParameters.isEmpty ?? true
    }

    @_optimize(none)
    func checkOwner(of subject: Subject) throws(Diagnostic) {
        let location = subject.annotation.location
        let owner = subject.owner
        if owner.isLocal {
            throw .localOwner(owner.name, at: location)
        }
        guard owner.kind == (subject.property.isCase ? .enum : .struct) else {
            throw .notStruct(owner, at: location)
        }
        if subject.property.isCase, !target.isCopyable(owner.qualifiedName) {
            throw .noncopyableEnum(owner.name, at: location)
        }
        // A conformance needs the access level written on the type, but the members have a lower one.
        let written = target.writtenAccess(of: owner, in: subject.place.file)
        let access = target.access(of: owner, in: subject.place.file)
        if written > access, target.isCopyable(owner.qualifiedName) {
            throw .tooAccessible(owner.name, written, in: access, at: location)
        }
        if subject.property.isLazy {
            throw .lazyProperty(subject.property.name, at: location)
        }
        try checkReach(of: subject.place, at: location)
        if let access = subject.property.access, access <= .fileprivate {
            throw .inaccessible(subject.property.name, access, at: location)
        }
    }

    /// Checks that extensions in another file can name a type.
    func checkReach(of place: TargetDeclarations.Place, at location: SourceLocation) throws(Diagnostic) {
        for declaration in target.chain(from: place) {
            guard let access = declaration.access, access <= .fileprivate else { continue }
            throw .inaccessible(declaration.name, access, at: location)
        }
    }
}
