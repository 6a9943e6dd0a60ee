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
