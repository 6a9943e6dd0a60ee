/// A comment that is a mistaken annotation if what it names, and what it stands on, say so.
///
/// The scanner sees one file; whether a name is a type of the target is known only with all of them.
package struct PossibleAnnotation: Sendable {
    /// What it is then; its payload is what to tell.
    package var annotation: Annotation
    /// The name in it, or nothing.
    package var name: String
    package var evidence: Evidence

    /// What makes it an annotation.
    ///
    /// A property that is named as identifiers are makes a name in another case good enough.
    package enum Evidence: Sendable, Equatable {
        /// The name is a type of the target, or one of a module that the file imports.
        case name
        /// The same, and a variable or constant stands below.
        case nameOnVariable
        /// The name is such a type, or could be one and a property with identifiers stands below.
        case nameOrProperty
    }
}

/// The names by which types of a target may be meant, whatever is around them.
struct TypeNames {
    private var names: Set<String> = []
    private var lowercased: Set<String> = []

    /// - Parameter qualified: The qualified names of the types.
    init(_ qualified: some Sequence<String>) {
        for name in qualified {
            let last = QualifiedName.components(of: name).last.map(String.init) ?? name
            names.insert(last)
            lowercased.insert(last.lowercased())
        }
    }

    /// Whether a name, maybe with some of those around it, is that of a type.
    func contains(_ name: String, anyCase: Bool) -> Bool {
        QualifiedName.components(of: name).suffix(2).allSatisfy {
            anyCase ? lowercased.contains($0.lowercased()) : names.contains(String($0))
        }
    }
}

extension TargetDeclarations {
    /// Whether a comment is meant as an annotation.
    func isMeant(_ possible: PossibleAnnotation, in file: ScannedFile) -> Bool {
        let attachment = possible.annotation.attachment
        if isType(possible.name, in: file) { return possible.evidence != .nameOnVariable || attachment.isVariable }
        guard identifies(attachment, in: file) else { return false }
        if isType(possible.name, in: file, anyCase: true) { return true }
        return possible.evidence == .nameOrProperty && possible.name.first?.isLowercase != true
    }

    /// Whether a name is that of a type, wherever in the target, or is qualified by a module that a file imports.
    func isType(_ name: String, in file: ScannedFile, anyCase: Bool = false) -> Bool {
        if name.isEmpty { return false }
        let module = QualifiedName.components(of: name).first.map(String.init) ?? name
        if module != name, file.imports.contains(where: { $0.module == module }) { return true }
        return typeNames.contains(
            module == self.module ? String(name.dropFirst(module.count)) : name,
            anyCase: anyCase
        )
    }

    /// Whether a comment stands on a property that is named as identifiers are.
    private func identifies(_ attachment: Attachment, in file: ScannedFile) -> Bool {
        guard case .property(let type, let property) = attachment else { return false }
        return NameRules.stem(of: file.types[type].properties[property].name) != nil
    }
}

extension Attachment {
    /// Whether it is a variable or constant, of whatever kind.
    fileprivate var isVariable: Bool {
        switch self {
        case .property: true
        case .unsuitable(.computedProperty, _), .unsuitable(.staticProperty, _), .unsuitable(.localVariable, _),
            .unsuitable(.protocolRequirement, _), .unsuitable(.globalVariable, _), .unsuitable(.severalBindings, _),
            .unsuitable(.tuplePattern, _):
            true
        case .unsuitable, .nothing: false
        }
    }
}
