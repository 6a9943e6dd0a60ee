/// The keys in the table of one type.
extension RelationshipValidation {
    /// Adds the keys of a type to its table, and the notes on properties that payloads can't keep.
    @_optimize(none)
    func addKeys(
        to table: PayloadTable,
        _ place: TargetDeclarations.Place,
        _ relationships: [Relationship],
        _ structures: Set<String>
    ) {
        let type = target[place]
        let codingKeys = target.codingKeys(of: type)
        if case .unreadable(let note) = codingKeys {
            table.notes = [note]
            return
        }
        var losses = PayloadLosses(type: table.owner, isEntity: table.isEntity, in: target)
        let identifier = identifier(of: type)
        for property in type.decodableProperties {
            let keys: [CodingKeys.Key]
            do throws(Diagnostic) {
                keys = try codingKeys.keys(of: property.name)
            } catch {
                table.notes.append(error)
                continue
            }
            guard !keys.isEmpty else {
                if losses.hasOwnInitializer || property.name == "id" { continue }
                if !table.isEntity {
                    losses.addReset(property)
                } else if let key = localKey(of: property, in: table.owner) {
                    table.keys.append(key)
                } else {
                    losses.addReset(property)
                }
                continue
            }
            let relationship = relationships.first { $0.property === property }
            let isIdentifier = table.isEntity && property.name == identifier
            // Without its identifier, an entity can't be merged.
            if !isIdentifier { losses.check(property, isWrapped: target.isWrapped(property, in: table.owner)) }
            if table.isMerged, let note = noteOnReplacedValue(of: property, in: type, structures) {
                table.notes.append(note)
            }
            do throws(Diagnostic) {
                let form =
                    table.isMerged
                    ? try form(of: property, relationship, in: table.owner, relationships)
                    : formOfLink(relationship, in: table.owner, relationships)
                for key in keys {
                    table.keys.append(
                        PayloadTable.Key(
                            property,
                            name: key.name,
                            form,
                            conditions: property.conditions
                                + key.conditions.filter { !property.conditions.contains($0) },
                            related: relationship?.target,
                            // The key `id` is known to be that of the identifier.
                            isIdentifier: isIdentifier && (key.name != "id" || property.name != "id")
                        )
                    )
                }
            } catch {
                table.notes.append(error)
            }
        }
        if table.isMerged { table.notes += losses.notes }
        if table.isEntity { addNotesOnIncompleteEntities(to: table, type, identifier: identifier) }
        table.notes = table.notes.ordered { $0.location < $1.location }
        addAlternatives(to: table, relationships)
        if !table.isMerged { table.keys.removeAll { !$0.isRelated } }
    }

    /// The key of a variable without a coding key, or `nil` if generated code can't set it.
    private func localKey(of property: PropertyDeclaration, in owner: String) -> PayloadTable.Key? {
        guard property.isSettableElsewhere, !property.isHidden, !target.isIsolated(property, in: owner) else {
            return nil
        }
        return PayloadTable.Key(property, name: property.name, .local, conditions: property.conditions)
    }

    private func form(
        of property: PropertyDeclaration,
        _ relationship: Relationship?,
        in owner: String,
        _ relationships: [Relationship]
    ) throws(Diagnostic) -> PayloadTable.Key.Form {
        let wrapper = target.wrapper(of: property, in: owner)
        if property.isHidden || target.isIsolated(property, in: owner) {
            if wrapper != nil { throw .hiddenWrapper(property) }
            guard let type = property.type ?? property.inferredType else { throw .hiddenWithoutType(property) }
            let visible = try visible(type, of: property, in: owner)
            return .hidden(type: typeExpression(visible, in: owner, relationships))
        }
        let related = relationship.map { typeExpression($0.target, in: owner, relationships) }
        switch wrapper {
        case nil: return related.map { .related(type: $0) } ?? .readable
        case .omittable: return .omittable(related: related)
        case .unknown: return .wrapped(type: nil, related: related)
        case .type(let type):
            let type = try? visible(type, of: property, in: owner)
            return .wrapped(type: type.map { typeExpression($0, in: owner, relationships) }, related: related)
        }
    }

    /// The form of a property of a type that isn't merged.
    ///
    /// The key of a property without a relationship is only needed until the alternatives are known.
    private func formOfLink(
        _ relationship: Relationship?,
        in owner: String,
        _ relationships: [Relationship]
    ) -> PayloadTable.Key.Form {
        relationship.map { .linked(type: typeExpression($0.target, in: owner, relationships)) } ?? .readable
    }

    // MARK: Alternatives

    /// Adds the other keys at which related entities can be.
    @_optimize(none)
    private func addAlternatives(to table: PayloadTable, _ relationships: [Relationship]) {
        let taken = Set(table.keys.map(\.name))
        for key in table.keys where key.isRelated {
            guard let relationship = relationships.first(where: { $0.property === key.property }) else { continue }
            let others = relationships.filter { $0.property.name != relationship.property.name }.map(\.names.accessor)
            let candidates = Self.alternatives(to: key.name, of: relationship)
            var seen = taken.union(others)
            key.alternatives = candidates.filter { seen.insert($0).inserted }
        }
    }

    /// The keys that servers and key strategies use for a relationship, besides its own.
    @_optimize(none)
    private static func alternatives(to key: String, of relationship: Relationship) -> [String] {
        let accessor = relationship.names.accessor
        let hasSnakeCase = key.contains("_")
        let stem = Inflector.stem(of: key)
        var result = KeyStrategy.keys(ofConverted: key)
        for name in [accessor, stem.flatMap { name(of: $0, relationship) }].compactMap({ $0 }) {
            result.append(name)
            if hasSnakeCase {
                if name == accessor { result.append(Inflector.snakeCase(of: accessor)) }
            } else {
                result += KeyStrategy.keys(ofConverted: name)
            }
        }
        return result
    }

    /// The name of the entities to which the stem of a key refers, or `nil` if it has another number.
    private static func name(of stem: (stem: String, isPlural: Bool), _ relationship: Relationship) -> String? {
        guard stem.isPlural == relationship.cardinality.isToMany else { return nil }
        if !stem.isPlural { return stem.stem }
        return Inflector.objectionToPlural(of: stem.stem) == nil ? Inflector.plural(of: stem.stem) : nil
    }

    // MARK: Types in expressions

    /// The type of a property as the generated code names it.
    @_optimize(none)
    private func visible(
        _ type: String,
        of property: PropertyDeclaration,
        in owner: String
    ) throws(Diagnostic) -> String {
        var result = ""
        var rest = type[...]
        while let start = rest.firstIndex(where: { $0.isLetter || $0 == "_" || $0 == "`" }) {
            let before = rest[..<start]
            let path = rest[start...].prefix { $0.isLetter || $0.isNumber || "_`.".contains($0) }
            rest = rest[path.endIndex...]
            result += before
            // The name of a member after generic arguments.
            if before.last == "." {
                result += path
            } else {
                result += try visible(path: String(path), isSpecialized: rest.first == "<", of: property, in: owner)
            }
        }
        return result + rest
    }

    /// The name of a type of the target as the generated code writes it; another name is unchanged.
    @_optimize(none)
    private func visible(
        path: String,
        isSpecialized: Bool,
        of property: PropertyDeclaration,
        in owner: String
    ) throws(Diagnostic) -> String {
        let components = QualifiedName.components(of: path)
        for count in components.indices.map({ $0 + 1 }).reversed() {
            let name = components[..<count].joined(separator: ".")
            guard let resolved = target.resolve(name, in: owner), let place = target.place(of: resolved) else {
                continue
            }
            let isHidden = target.chain(from: place).contains { $0.access.map { $0 <= .fileprivate } ?? false }
            let visible = isHidden ? nil : try? nameInside(of: owner, of: resolved, at: property.location)
            guard let visible, !(isSpecialized && visible.hasSuffix(">")) else {
                throw .hiddenType(name, of: property)
            }
            return ([visible] + components[count...].map(String.init)).joined(separator: ".")
        }
        return path
    }

    /// A type as an expression: `Account.self`.
    ///
    /// In an expression, members of the owner shadow types. As a generic argument, the name can only be that of a type.
    @_optimize(none)
    private func typeExpression(_ type: String, in owner: String, _ relationships: [Relationship]) -> String {
        let type = type.hasSuffix("!") ? type.dropLast() + "?" : type
        let members = writtenMembers(of: owner).union(relationships.flatMap { [$0.names.accessor] })
        let names = type.split { !($0.isLetter || $0.isNumber || "_.".contains($0)) }
            .compactMap { $0.split(separator: ".").first.map(String.init) }
        let isShadowed = names.contains { members.contains($0) && target.resolve($0, in: owner) != "\(owner).\($0)" }
        if isShadowed { return "FlatCache._Type<\(type)>.self" }
        return type.contains { "&@".contains($0) } || type.contains("->") || type.hasPrefix("any ")
            ? "(\(type)).self" : "\(type).self"
    }
}
