extension RelationshipValidation {
    /// The type that an annotation names.
    struct RelatedType {
        /// The name that the accessors use for the type.
        let name: String
        /// The qualified name of its declaration in the target, type aliases followed, or `nil` when it is declared elsewhere.
        var declaration: String?
        /// The module that declares the type, or `nil` when it is the target or isn't known.
        let module: String?
        /// The files that declare the type aliases used for the type.
        var aliasFiles: [Int] = []
        /// The highest access level that accessors can have.
        var access = AccessLevel.public
    }

    @_optimize(none)
    func relatedType(of subject: Subject) throws(Diagnostic) -> RelatedType {
        let name = subject.payload.target
        let location = subject.payload.targetLocation
        let scope = subject.owner.qualifiedName
        if let generic = genericType(around: subject.place, withParameter: firstComponent(of: name)) {
            throw .genericParameter(name, of: generic, at: location)
        }
        guard let resolved = name == "Self" ? scope : target.resolve(name, in: scope),
            let place = target.place(of: resolved)
        else { return try importedType(of: subject) }
        if target[place].kind == .protocol {
            throw .protocolType(name, at: location)
        }
        // Inside a generic type, its name means the type with the current parameters.
        let isInside = scope == resolved || scope.hasPrefix(outermostGeneric(around: place) + ".")
        if isGeneric(place), !isInside {
            throw .genericType(name, at: location)
        }
        try checkReach(of: place, at: location)
        let (unaliased, aliasFiles) = target.followAliases(from: resolved, in: "")
        let declaration = target.type(named: unaliased)?.qualifiedName
        if let declaration { try checkConformance(of: declaration, at: location) }
        return RelatedType(
            name: try nameInside(of: scope, of: resolved, at: location),
            declaration: declaration,
            module: declaration == nil ? module(in: unaliased) : nil,
            aliasFiles: aliasFiles,
            access: target.access(of: target[place], in: place.file)
        )
    }

    /// Checks that a cache can store a type, as far as the sources show.
    func checkConformance(of declaration: String, at location: SourceLocation) throws(Diagnostic) {
        guard let place = target.place(of: declaration) else { return }
        let type = target[place]
        switch target.conformance(of: declaration) {
        case .shown, .unknown: return
        case .missing:
            throw .notCachable(type, in: self.place(of: place), at: location)
        case .conditional(let condition):
            throw .conditionallyCachable(type, where: condition, at: location)
        }
    }

    /// The name of a type, with its generic parameters as arguments where it is more than a single name.
    func withGenericArguments(_ resolved: String) -> String {
        var path = ""
        return QualifiedName.components(of: resolved).map { component in
            path += path.isEmpty ? String(component) : ".\(component)"
            let parameters = genericParameters(of: target.type(named: path))
            return parameters.isEmpty ? String(component) : "\(component)<\(parameters.joined(separator: ", "))>"
        }.joined(separator: ".")
    }

    /// The names of the generic parameters of a type.
    @_optimize(none)
    private func genericParameters(of type: TypeDeclaration?) -> [String] {
        let parameters = type?.genericParameters.dropFirst().dropLast() ?? ""
        var depth = 0
        let written = parameters.split { character in
            depth += character == "<" || character == "(" ? 1 : character == ">" || character == ")" ? -1 : 0
            return character == "," && depth == 0
        }
        return written.compactMap { $0.prefix { $0 != ":" }.split(separator: " ").last.map(String.init) }
    }

    /// The module written in the name of a type, or `nil` when the name has one component.
    private func module(in name: String) -> String? {
        let first = firstComponent(of: name)
        return first == name ? nil : first
    }

    /// The name before the first period or module selector.
    func firstComponent(of name: String) -> String {
        QualifiedName.components(of: name).first.map(String.init) ?? name
    }

    private func outermostGeneric(around place: TargetDeclarations.Place) -> String {
        target.chain(from: place).last { !$0.genericParameters.isEmpty }?.qualifiedName ?? ""
    }

    /// The innermost enclosing type, itself included, with a generic parameter of the given name.
    func genericType(around place: TargetDeclarations.Place, withParameter name: String) -> String? {
        for declaration in target.chain(from: place) {
            let type = declaration.kind == .extension ? target.type(named: declaration.qualifiedName) : declaration
            if genericParameters(of: type).contains(name) { return declaration.qualifiedName }
        }
        return nil
    }
}

extension RelationshipValidation {
    /// Returns the related type if it belongs to another module.
    @_optimize(none)
    func importedType(of subject: Subject) throws(Diagnostic) -> RelatedType {
        let name = subject.payload.target
        let imported = target.files[subject.place.file].imports.map(\.module)
        guard firstComponent(of: name) != name else { throw unknownType(name, in: subject, modules: imported) }
        let first = firstComponent(of: name)
        if target.resolve(first, in: subject.owner.qualifiedName) == nil, first != target.module {
            if imported.contains(first) { return RelatedType(name: name, module: first) }
            throw unknownModule(first, of: name, in: subject, imported: imported)
        }
        throw unknownType(name, in: subject, modules: [])
    }

    /// The module of a related type, which an accessor with a higher access level must import with that level.
    ///
    /// It is also needed where an alias names the type without it.
    ///
    /// - Returns: `nil` when the type belongs to the target, or no import has a higher access level.
    func module(
        of related: RelatedType,
        _ access: AccessLevel,
        in subject: Subject
    ) throws(Diagnostic) -> String? {
        if let module = related.module { return module }
        guard related.declaration == nil, access > .internal, let file = related.aliasFiles.last else { return nil }
        let visible = target.files[file].imports.filter { ($0.access ?? .internal) > .internal }.map(\.module)
        let candidates = Set(visible).subtracting(Self.modulesWithoutEntities).sorted()
        guard candidates.count > 1 else { return candidates.first }
        throw .aliasWithoutModule(
            subject.payload.target,
            in: target.files[file].name,
            candidates,
            at: subject.payload.targetLocation
        )
    }

    /// The diagnostic of a name that is no type of the target.
    private func unknownType(_ name: String, in subject: Subject, modules: [String]) -> Diagnostic {
        let modules = Set(modules).subtracting(Self.modulesWithoutEntities).sorted()
        return .unknownType(name, near: nearestTypes(to: name), modules: modules, at: subject.payload.targetLocation)
    }

    /// The types of the target that a wrong name most likely means: types with the same last component, or else with a
    /// similar name.
    @_optimize(none)
    private func nearestTypes(to name: String) -> [String] {
        let names = target.entityNames
        let last = QualifiedName.components(of: name).last.map(String.init) ?? name
        let elsewhere = names.filter { $0 == last || $0.hasSuffix(".\(last)") }
        if !elsewhere.isEmpty { return elsewhere.sorted() }
        let isQualified = last != name && firstComponent(of: name) == target.module
        let rest = isQualified ? String(name.dropFirst(target.module.count).drop { $0 == "." || $0 == ":" }) : name
        return EditDistance.suggestions(for: rest, from: names)
    }

    /// The diagnostic of a qualified name whose first component is neither a type nor an imported module.
    private func unknownModule(_ module: String, of name: String, in subject: Subject, imported: [String]) -> Diagnostic
    {
        let location = subject.payload.targetLocation
        if let file = target.fileImporting(module) { return .moduleImportedElsewhere(module, in: file, at: location) }
        let near = nearestTypes(to: name)
        if !near.isEmpty { return .unknownType(name, near: near, modules: [], at: location) }
        if let near = EditDistance.suggestion(for: module, from: imported) {
            return .misspelledModule(module, didYouMean: near + name.dropFirst(module.count), at: location)
        }
        return .unknownModule(module, at: location)
    }

    /// The modules that files with models often import and that declare no entities.
    private static let modulesWithoutEntities = Set(
        words: """
            FlatCache FlatCacheStore Swift Foundation FoundationEssentials SwiftUI UIKit AppKit Combine Observation \
            Synchronization Dispatch os OSLog Darwin Glibc Musl CoreGraphics CoreLocation UniformTypeIdentifiers \
            RegexBuilder Testing XCTest
            """
    )
}

/// Text that was written in the place of a type's name and contains more than the name.
extension RelationshipValidation {
    /// The diagnostic of an annotation that can't be read.
    ///
    /// It names the text to remove if the name of a type is among other words.
    func diagnostic(of error: AnnotationError, in annotation: Annotation, _ file: Int) -> Diagnostic {
        switch error {
        case .invalidTarget(_, let phrase), .unexpectedWord(_, _, let phrase):
            removal(from: phrase, in: target.files[file])
                ?? .unreadable(error, annotation.keyword, at: annotation.location)
        default:
            .unreadable(error, annotation.keyword, at: annotation.location)
        }
    }

    @_optimize(none)
    private func removal(from phrase: TypePhrase, in file: ScannedFile) -> Diagnostic? {
        let text = phrase.text
        guard let name = nameRange(in: text, file) else { return nil }
        let end = text[name.upperBound...].firstIndex(of: " ") ?? text.endIndex
        let before = text[..<name.lowerBound].reversed().drop { $0 == " " }.reversed()
        let behind = text[name.upperBound..<end]
        let written = text[..<end]
        if behind.first == "<" {
            return .genericArguments(of: String(written), at: phrase.location)
        }
        let others = [String(before), String(behind)].filter { !$0.isEmpty }
        guard !others.isEmpty else { return nil }
        return .notOnlyType(String(written), remove: others, at: phrase.location)
    }

    /// The first name of a type in a text, or the only word that is written like one.
    @_optimize(none)
    private func nameRange(in text: String, _ file: ScannedFile) -> Range<String.Index>? {
        var names: [Range<String.Index>] = []
        var rest = text[...]
        while let start = rest.firstIndex(where: { $0.isLetter || $0 == "_" }) {
            var end = start
            while end < text.endIndex,
                text[end].isLetter || text[end].isNumber || text[end] == "_" || isInPath(end, of: text)
            {
                end = text.index(after: end)
            }
            names.append(start..<Self.withoutMember(text[start..<end]).endIndex)
            rest = text[end...]
        }
        if let known = names.first(where: { target.isType(String(text[$0]), in: file) }) { return known }
        let capitalized = names.filter { text[$0.lowerBound].isUppercase }
        return capitalized.count == 1 ? capitalized.first : nil
    }

    private func isInPath(_ index: String.Index, of text: String) -> Bool {
        guard text[index] == "." else { return false }
        let next = text.index(after: index)
        return next < text.endIndex && (text[next].isLetter || text[next] == "_")
    }

    /// Suffixes that are often written after the name of an entity, and make it the name of another type.
    private static let members = [".self", ".Type", ".Protocol", ".ID", ".id"]

    private static func withoutMember(_ name: Substring) -> Substring {
        members.first(where: name.hasSuffix).map { name.dropLast($0.count) } ?? name
    }

    /// Checks that a name doesn't belong to a nested type of an entity, such as `Author.ID`.
    func checkIsNoMember(_ name: String, of subject: Subject) throws(Diagnostic) {
        let entity = String(Self.withoutMember(name[...]))
        guard entity != name, entity == "Self" || target.resolve(entity, in: subject.owner.qualifiedName) != nil else {
            return
        }
        throw .memberOfEntity(
            name,
            remove: String(name.dropFirst(entity.count)),
            at: subject.payload.targetLocation
        )
    }
}

/// Names that are shadowed in the scope of the accessors.
///
/// Accessors are in extensions. There the nested types, generic parameters and associated types of the owner shadow
/// types outside of it. In expressions, members shadow types too; there the accessors only name the library.
extension RelationshipValidation {
    /// The name that refers to a type of the target inside the accessors of an owner, with the module if the plain name
    /// is shadowed.
    func nameInside(
        of scope: String,
        of resolved: String,
        at location: SourceLocation
    ) throws(Diagnostic) -> String {
        let first = firstComponent(of: resolved)
        if !shadowsType(first, in: scope), !Self.namesOfLibrary.contains(first) {
            return first == resolved ? resolved : withGenericArguments(resolved)
        }
        guard !shadowsType(target.module, in: scope), target.type(named: target.module) == nil else {
            // The name is shadowed if the owner conforms to a protocol that has it, which is rare.
            if !shadowsType(first, in: scope), Self.namesOfProtocols.contains(first) {
                return withGenericArguments(resolved)
            }
            throw .shadowedType(resolved, module: target.module, at: location)
        }
        return "\(target.module).\(withGenericArguments(resolved))"
    }

    /// The names that the library declares inside owners.
    private static let namesOfLibrary: Set = namesOfProtocols.union(["Relationships", "ID"])

    /// The associated types of the protocols of Swift, which owners may have.
    private static let namesOfProtocols = Set(
        words: """
            AllCases ArrayLiteralElement Body Bound Element Failure Index Indices Iterator Magnitude RawValue Stride \
            SubSequence
            """
    )

    /// Whether a name inside a type refers to another type than the one at the top level of the target.
    func shadowsType(_ name: String, in scope: String) -> Bool {
        if let resolved = target.resolve(name, in: scope), resolved != name { return true }
        if let place = target.place(of: scope), genericType(around: place, withParameter: name) != nil { return true }
        return target.protocols(of: scope).contains { around in
            target.type(named: "\(around).\(name)") != nil
                || target.declarations(of: around).contains { $0.associatedTypes.contains(name) }
        }
    }

    /// Checks that the accessors can name the library, the modules of the language and the module of the related type.
    @_optimize(none)
    func checkModules(of subject: Subject, _ names: AccessorNames, _ related: RelatedType) throws(Diagnostic) {
        let location = subject.annotation.location
        for module in ["FlatCache", "Swift", "_Concurrency"] + [related.module].compactMap({ $0 }) {
            if module == "FlatCache", names.accessor == module {
                throw .nameOfLibrary(module, subject.payload.target, at: location)
            }
            try checkModule(module, in: subject.owner.qualifiedName, at: location)
        }
    }

    /// Checks that the generated code can name a module inside a type.
    func checkModule(_ module: String, in scope: String, at location: SourceLocation) throws(Diagnostic) {
        let shadowing = target.resolve(module, in: scope).flatMap { target.place(of: $0) }
        if shadowing != nil || shadowsType(module, in: scope) {
            throw .shadowedModule(module, by: shadowing.map(place), at: location)
        }
        guard module == "FlatCache", writtenMembers(of: scope).contains(module) else { return }
        throw .moduleShadowedByMember(module, of: scope, at: location)
    }

    /// The names of the members of a type and of its protocols that the sources show.
    func writtenMembers(of owner: String) -> Set<String> {
        var names: Set<String> = []
        for type in [owner] + target.protocols(of: owner) {
            for declaration in target.declarations(of: type) {
                names.formUnion(declaration.memberNames.map { Self.baseName($0.name) })
            }
        }
        return names
    }

    /// The name of a member without its argument labels.
    private static func baseName(_ name: String) -> String { String(name.prefix { $0 != "(" }) }
}
