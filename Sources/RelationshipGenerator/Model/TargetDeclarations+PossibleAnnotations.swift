/// The names of the types of a target, without their enclosing types.
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

    /// Whether a name is the name of a type, alone or with enclosing types.
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
        if possible.evidence == .variable { return attachment.isVariable }
        if isType(possible.name, in: file) { return possible.evidence != .nameOnVariable || attachment.isVariable }
        guard identifies(attachment, in: file) else { return false }
        if isType(possible.name, in: file, anyCase: true) { return true }
        return possible.evidence == .nameOrProperty && possible.name.first?.isLowercase != true
    }

    /// Whether a name is a type of the target at any depth, or is qualified by a module that the file imports.
    func isType(_ name: String, in file: ScannedFile, anyCase: Bool = false) -> Bool {
        if name.isEmpty { return false }
        let module = QualifiedName.components(of: name).first.map(String.init) ?? name
        if module != name, file.imports.contains(where: { $0.module == module }) { return true }
        return typeNames.contains(
            module == self.module ? String(name.dropFirst(module.count)) : name,
            anyCase: anyCase
        )
    }

    /// Whether a comment is attached to a property with the name of an identifier.
    private func identifies(_ attachment: Annotation.Attachment, in file: ScannedFile) -> Bool {
        guard case .property(let type, let property) = attachment else { return false }
        return Inflector.stem(of: file.types[type].properties[property].name) != nil
    }
}

extension Annotation.Attachment {
    /// Whether the declaration is a variable or constant of any kind.
    fileprivate var isVariable: Bool {
        switch self {
        case .property, .enumCase: true
        case .unsuitable(.computedProperty, _), .unsuitable(.staticProperty, _), .unsuitable(.localVariable, _),
            .unsuitable(.protocolRequirement, _), .unsuitable(.globalVariable, _), .unsuitable(.severalBindings, _),
            .unsuitable(.tuplePattern, _):
            true
        case .unsuitable, .nothing: false
        }
    }
}
