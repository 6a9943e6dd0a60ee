extension RelationshipValidation {
    /// Returns the related type if it belongs to another module.
    func importedType(of subject: Subject) throws(Problem) -> RelatedType {
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
    ) throws(Problem) -> String? {
        if let module = related.module { return module }
        guard related.declaration == nil, access > .internal, let file = related.aliasFiles.last else { return nil }
        let visible = target.files[file].imports.filter { ($0.access ?? .internal) > .internal }.map(\.module)
        let candidates = Set(visible).subtracting(Self.modulesWithoutEntities).sorted()
        guard candidates.count > 1 else { return candidates.first }
        throw Problem(
            subject.payload.targetLocation,
            "'\(subject.payload.target)' is an alias in '\(target.files[file].name)' of a type whose module it doesn't name; "
                + "write \(Self.joined(candidates.map { "'\($0).…'" })) there"
        )
    }

    /// The problem of a name that is no type of the target.
    private func unknownType(_ name: String, in subject: Subject, modules: [String]) -> Problem {
        let modules = Set(modules).subtracting(Self.modulesWithoutEntities).sorted()
        let near = nearestTypes(to: name)
        let choices = (near + modules.prefix(3).map { "\($0).\(name)" }).map { "'\($0)'" }
        let advice =
            if !near.isEmpty {
                "did you mean \(Self.joined(choices))?"
            } else if !choices.isEmpty {
                "write a type of a module that this file imports with that module, as in \(Self.joined(choices))"
            } else if firstComponent(of: name) != name {
                "write the types around it, or its module, as they are called"
            } else {
                "write a type of another module with its module, as in 'Module.\(name)', and import that"
            }
        return Problem(subject.payload.targetLocation, "'\(name)' is not a type of this target; \(advice)")
    }

    /// The types of the target that a wrong name most likely means: types with the same last component, or else with a
    /// similar name.
    private func nearestTypes(to name: String) -> [String] {
        let names = target.entityNames
        let last = QualifiedName.components(of: name).last.map(String.init) ?? name
        let elsewhere = names.filter { $0 == last || $0.hasSuffix(".\(last)") }
        if !elsewhere.isEmpty { return elsewhere.sorted() }
        let isQualified = last != name && firstComponent(of: name) == target.module
        let rest = isQualified ? String(name.dropFirst(target.module.count).drop { $0 == "." || $0 == ":" }) : name
        return EditDistance.suggestions(for: rest, from: names)
    }

    /// The problem of a qualified name whose first component is neither a type nor an imported module.
    private func unknownModule(_ module: String, of name: String, in subject: Subject, imported: [String]) -> Problem {
        let rest = name.dropFirst(module.count)
        let advice: String
        if let file = target.fileImporting(module) {
            advice = "'\(module)' is imported in '\(file)', and not in this file; write 'import \(module)' here too"
        } else if case let near = nearestTypes(to: name), !near.isEmpty {
            advice =
                "'\(name)' is not a type of this target; did you mean \(Self.joined(near.map { "'\($0)'" }))?"
        } else if let near = EditDistance.suggestion(for: module, from: imported) {
            advice = "this file imports no module '\(module)'; did you mean '\(near)\(rest)'?"
        } else {
            advice =
                "'\(module)' is no type of this target, and no module that this file imports; write 'import \(module)'"
        }
        return Problem(subject.payload.targetLocation, advice)
    }

    /// `a, b or c`.
    static func joined(_ choices: [String]) -> String {
        guard let last = choices.last, choices.count > 1 else { return choices.first ?? "" }
        return choices.dropLast().joined(separator: ", ") + " or " + last
    }

    /// The modules that files with models often import and that declare no entities.
    private static let modulesWithoutEntities: Set<String> = [
        "FlatCache", "Swift", "Foundation", "FoundationEssentials", "SwiftUI", "UIKit", "AppKit", "Combine",
        "Observation", "Synchronization", "Dispatch", "os", "OSLog", "Darwin", "Glibc", "Musl", "CoreGraphics",
        "CoreLocation", "UniformTypeIdentifiers", "RegexBuilder", "Testing", "XCTest",
    ]
}
