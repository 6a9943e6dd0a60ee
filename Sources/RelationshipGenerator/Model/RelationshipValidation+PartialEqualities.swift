/// An entity whose `==` is written in the sources, so that it may leave out properties.
struct PartialEquality {
    let owner: String
    let access: AccessLevel
    let availability: [String]
    let conditions: [ConditionalBranch]
}

extension RelationshipValidation {
    /// Collects the entities whose `==` is written in the sources, with a note on each.
    ///
    /// - Complexity: O(*n*) for *n* declarations.
    @_optimize(none)
    func findPartialEqualities() {
        // With unmatched braces, the declarations can't be trusted.
        guard !target.files.contains(where: { $0.mismatch != nil }) else { return }
        let conformance = TargetDeclarations.spellings(of: "PartialEquality", in: "FlatCache")
        for (file, scanned) in target.files.enumerated() {
            for (number, type) in scanned.types.enumerated() {
                let name = type.qualifiedName
                guard type.kind == .struct || type.kind == .enum, !type.isLocal, isEntity(name),
                    let equality = target.equality(of: name),
                    conformance.isDisjoint(with: target.inheritedNames(of: name))
                else { continue }
                let place = TargetDeclarations.Place(file: file, type: number)
                let objection = objection(toConformanceOf: place)
                notes.append(.partialEquality(of: name, objection, at: equality.location))
                if objection != nil { continue }
                let conforming = conforming(place, to: [target.cachableProtocols])
                partialEqualities.append(
                    PartialEquality(
                        owner: name,
                        access: min(target.access(of: type, in: file), .public),
                        availability: conforming.availability,
                        conditions: type.conditions + conforming.conditions
                    )
                )
            }
        }
        notes = notes.ordered { $0.location < $1.location }
    }
}

extension TargetDeclarations {
    /// The `==` that a type or a protocol that it conforms to declares.
    fileprivate func equality(of type: String) -> MemberName? {
        ([type] + protocols(of: type)).flatMap(declarations).lazy.filter { $0.kind != .protocol }
            .flatMap(\.memberNames).first { $0.isStatic && $0.name.hasPrefix("==(") }
    }
}
