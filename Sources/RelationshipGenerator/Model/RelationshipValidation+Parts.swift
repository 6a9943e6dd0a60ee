/// The values with relationships that other types hold in their properties.
extension RelationshipValidation {
    /// Finds the properties whose values have relationships, in the types that have some themselves, in entities, and in
    /// the values that these hold.
    ///
    /// - Complexity: O(*n*) for *n* properties.
    @_optimize(none)
    func findParts() {
        guard diagnostics.isEmpty, !relationships.isEmpty else { return }
        let related = places(of: relationships.filter(\.isDescribed))
        let described = related.union(places(of: backlinks))
        let parts = PartSearch(validation: self, related: related, described: described)
        for (file, scanned) in target.files.enumerated() {
            for (type, declaration) in scanned.types.enumerated() where !declaration.isLocal {
                let place = TargetDeclarations.Place(file: file, type: type)
                guard declaration.kind == .struct || declaration.kind == .enum else { continue }
                let name = declaration.qualifiedName
                if described.contains(place) || target.isCachable(name) { parts.visit(name) }
            }
        }
        self.parts = parts.found
    }

    /// The declarations of the types of members.
    private func places(of members: [GeneratedMember]) -> Set<TargetDeclarations.Place> {
        var result: Set<TargetDeclarations.Place> = []
        for member in members {
            for place in target.places(of: member.owner) where target[place].kind != .extension {
                if target[place].conditions == member.ownerConditions { result.insert(place) }
            }
        }
        return result
    }

    /// Whether a type declares a static member.
    func declares(_ name: String, in owner: String) -> Bool {
        target.declarations(of: owner).contains { declaration in
            declaration.memberNames.contains { $0.isStatic && $0.name == name }
        }
    }
}

/// The search for properties whose values have relationships.
private final class PartSearch {
    let validation: RelationshipValidation
    /// The declarations of types with relationships of their own.
    let related: Set<TargetDeclarations.Place>
    /// The same, and the declarations of types with backlinks.
    let described: Set<TargetDeclarations.Place>
    /// The properties of types of the target, by the types that declare them.
    private var candidates: [String: [Part]] = [:]
    /// The names of the types of the target, without their enclosing types.
    private let names: Set<String>
    /// Whether types, as written, contain one of these names.
    private var isMentioned: [String: Bool] = [:]
    /// The types of the target in the order in which they were visited.
    private var visited: [String] = []

    private var target: TargetDeclarations { validation.target }

    init(
        validation: RelationshipValidation,
        related: Set<TargetDeclarations.Place>,
        described: Set<TargetDeclarations.Place>
    ) {
        self.validation = validation
        self.related = related
        self.described = described
        let declarations = validation.target.files.flatMap(\.types).filter { !$0.isLocal && $0.kind != .extension }
        names = Set(declarations.map(\.name) + ["Self"])
    }

    /// Reads the properties of a type, and those of the types of their values.
    @_optimize(none)
    func visit(_ name: String) {
        var pending = [name]
        while let name = pending.popLast() {
            guard candidates[name] == nil else { continue }
            visited.append(name)
            var all: [Part] = []
            for place in target.places(of: name) where target[place].kind != .extension { all += parts(of: place) }
            candidates[name] = all
            pending += all.map(\.type)
        }
    }

    /// The properties whose values have relationships, or hold such values.
    @_optimize(none)
    var found: [Part] {
        var owners = Set(visited.filter(isOwner))
        var holders = NameIndex([])
        for (number, name) in visited.enumerated() {
            for part in candidates[name] ?? [] { holders.add(number, named: part.type) }
        }
        var pending = Array(owners)
        while let name = pending.popLast() {
            for holder in holders[name].map({ visited[$0] }) where !owners.contains(holder) {
                guard becomesOwner(holder, holding: owners) else { continue }
                owners.insert(holder)
                pending.append(holder)
            }
        }
        return visited.filter { !validation.declares("allRelationships", in: $0) }.flatMap { name in
            let isExtended = owners.contains(name) && !isStated(name)
            return (candidates[name] ?? []).filter { part in
                owners.contains(part.type) && (isExtended || described.contains(part.place))
            }
        }
    }

    // MARK: Types

    /// Whether a type has relationships of its own in all its declarations.
    private func isOwner(_ name: String) -> Bool {
        let places = target.places(of: name).filter { target[$0].kind != .extension }
        return !places.isEmpty && (places.allSatisfy(related.contains) || isStated(name))
    }

    /// Whether the target states the conformance to `RelationshipOwner` in all branches of conditional compilation.
    @_optimize(none)
    private func isStated(_ name: String) -> Bool {
        let places = target.places(of: name).filter { target[$0].kind != .extension }
        let stated = target.declarations(of: name, conformingTo: TargetDeclarations.ownerProtocols)
        return stated.contains { place in
            target[place].conditions.allSatisfy { condition in
                places.allSatisfy { target[$0].conditions.contains(condition) }
            }
        }
    }

    /// Whether the generated code can make a type an owner because of the values in it, in all its declarations.
    @_optimize(none)
    private func becomesOwner(_ name: String, holding owners: Set<String>) -> Bool {
        target.places(of: name).filter { target[$0].kind != .extension }.allSatisfy { place in
            if related.contains(place) { return true }
            let holds = candidates[name]?.contains { $0.place == place && owners.contains($0.type) } ?? false
            return holds && (described.contains(place) || validation.canDescribe(place))
        }
    }

    // MARK: Properties

    /// The properties of a declaration whose values are of types of the target.
    @_optimize(none)
    private func parts(of place: TargetDeclarations.Place) -> [Part] {
        let declaration = target[place]
        guard declaration.kind == .struct || declaration.kind == .enum else { return [] }
        var parts: [Part] = []
        var properties = declaration.properties
        if !declaration.jointProperties.isEmpty {
            properties = (properties + declaration.jointProperties).ordered { $0.location < $1.location }
        }
        for property in properties {
            guard !property.isLazy, !property.isHidden, let type = property.type ?? property.inferredType,
                !isRelationship(property, of: place), !target.isIsolated(property, in: declaration.qualifiedName)
            else { continue }
            parts += part(of: property, type, pattern: nil, in: place)
        }
        for enumCase in declaration.cases {
            let property = PropertyDeclaration(
                name: enumCase.name,
                type: nil,
                isVariable: false,
                location: enumCase.location
            )
            property.isCase = true
            property.availability = enumCase.availability
            property.enclosing = enumCase.enclosing
            guard !isRelationship(property, of: place) else { continue }
            let values = enumCase.values
            for (index, value) in values.enumerated() {
                var bindings = values.map { _ in "_" }
                bindings[index] = "let held"
                let pattern = ".\(SwiftWords.member(enumCase.name))(\(bindings.joined(separator: ", ")))"
                parts += part(of: property, value.type, pattern: pattern, in: place)
            }
        }
        return parts.filter { !$0.property.isUnavailable }
    }

    /// Whether an annotation makes a property or case a relationship.
    private func isRelationship(_ property: PropertyDeclaration, of place: TargetDeclarations.Place) -> Bool {
        validation.annotatedProperties.contains("\(target[place].qualifiedName).\(property.name)")
    }

    /// The part with the values of a type, or none if the target doesn't declare their type.
    private func part(
        of property: PropertyDeclaration,
        _ type: String,
        pattern: String?,
        in place: TargetDeclarations.Place
    ) -> [Part] {
        guard mentionsType(type) else { return [] }
        let owner = target[place].qualifiedName
        let shape = validation.expanded(TypeShape(type), in: owner)
        guard case .name(let written) = shape.innermost, let held = self.type(written, in: place) else { return [] }
        let isForeign = target.type(named: validation.firstComponent(of: owner)) == nil
        return [
            Part(property, pattern, shape, of: held, in: place, importingFile: isForeign ? place.file : nil, target)
        ]
    }

    /// Whether a type, as written, contains a name of the target, which few do.
    private func mentionsType(_ type: String) -> Bool {
        if let known = isMentioned[type] { return known }
        let words = type.split { !($0.isLetter || $0.isNumber || $0 == "_") }
        // A name in backticks can contain any character.
        let isMentioned = type.contains("`") || words.contains { names.contains(String($0)) }
        self.isMentioned[type] = isMentioned
        return isMentioned
    }

    /// The struct or enum of the target that a name refers to, without its generic arguments.
    private func type(_ written: String, in place: TargetDeclarations.Place) -> String? {
        let owner = target[place].qualifiedName
        if written == "Self" { return owner }
        let name = written.last == ">" ? String(written.prefix { $0 != "<" }) : written
        let meant = target.unaliased(name, in: owner)
        guard let kind = target.type(named: meant)?.kind, kind == .struct || kind == .enum else { return nil }
        let isParameter =
            validation.genericType(around: place, withParameter: validation.firstComponent(of: name)) != nil
        return isParameter ? nil : meant
    }
}

extension RelationshipValidation {
    /// Whether generated code can make a type conform to `RelationshipOwner`, although it has no annotation.
    ///
    /// A type that can't is left out, because it has no annotation at which an error could be reported.
    @_optimize(none)
    fileprivate func canDescribe(_ place: TargetDeclarations.Place) -> Bool {
        let type = target[place]
        let name = type.qualifiedName
        guard type.kind == .struct || type.kind == .enum, target.isCopyable(name),
            !type.attributes.contains("@MainActor"),
            target.writtenAccess(of: type, in: place.file) <= target.access(of: type, in: place.file),
            !target.chain(from: place).contains(where: { $0.access.map { $0 <= .fileprivate } ?? false }),
            obstacle(toDescribing: name) == nil
        else { return false }
        for module in ["FlatCache", "Swift"] where (try? checkModule(module, in: name, at: type.location)) == nil {
            return false
        }
        return true
    }
}

extension TypeShape {
    /// The name inside of all optionals and collections, or what is in its place.
    fileprivate var innermost: TypeShape {
        switch self {
        case .name, .other: self
        case .optional(let shape), .array(let shape), .set(let shape), .dictionary(_, let shape): shape.innermost
        }
    }
}

extension PropertyDeclaration {
    /// Whether no code can use the property.
    var isUnavailable: Bool { availability.contains { $0.contains("unavailable") } }
}
