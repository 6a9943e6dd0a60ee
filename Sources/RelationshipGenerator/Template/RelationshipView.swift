/// Converts relationships and tables of keys into the values that templates use.
struct RelationshipView {
    let target: String
    let files: [ScannedFile]
    let relationships: [Relationship]
    /// The tables of keys, without those that have no key.
    let tables: [PayloadTable]

    init(target: String, files: [ScannedFile], relationships: [Relationship], tables: [PayloadTable]) {
        self.target = target
        self.files = files
        self.relationships = relationships
        self.tables = tables.filter { !$0.keys.isEmpty }
    }

    /// The values for rendering a template.
    var values: [String: TemplateValue] {
        let owners = Dictionary(grouping: relationships) { OwnerKey($0) }
        let sorted = owners.sorted { $0.key < $1.key }
        return [
            "target": .text(target),
            "hasRelationships": .flag(!relationships.isEmpty),
            "hasImports": .flag(!relationships.isEmpty || !tables.isEmpty),
            "imports": .list(imports(GeneratedImports(files: files, relationships: relationships, tables: tables))),
            "accessorImports": .list(
                imports(GeneratedImports(files: files, relationships: relationships, hasConformances: false))
            ),
            "owners": .list(sorted.map { owner($0.value.sorted { ($0.file, $0.location) < ($1.file, $1.location) }) }),
            "payloadTables": .list(tables.sorted { OwnerKey($0) < OwnerKey($1) }.map(payloadTable)),
        ]
    }

    /// The key of relationships or properties that share an extension.
    private struct OwnerKey: Hashable, Comparable {
        let name: String
        let conditions: [ConditionalBranch]
        let availability: [String]

        init(_ relationship: Relationship) {
            name = relationship.owner
            conditions = relationship.ownerConditions
            availability = relationship.ownerAvailability
        }

        init(_ table: PayloadTable) {
            name = table.owner
            conditions = table.conditions
            availability = table.availability
        }

        private var order: [String] { [name] + conditions.flatMap(\.directives) + availability }

        static func < (lhs: OwnerKey, rhs: OwnerKey) -> Bool { lhs.order.lexicographicallyPrecedes(rhs.order) }
    }

    private func owner(_ relationships: [Relationship]) -> TemplateValue {
        guard let first = relationships.first else { return .object([:]) }
        return .object([
            "owner": .text(first.owner),
            "attributes": .texts(first.ownerAvailability),
            "ownerAccess": .text(first.ownerAccess.prefix),
            "isEntity": .flag(first.isEntity),
            "isDescribed": .flag(first.isDescribed),
            "openConditions": .texts(first.ownerConditions.flatMap(\.directives)),
            "closeConditions": .list(first.ownerConditions.map { _ in .text("#endif") }),
            "relationships": .list(relationships.enumerated().map { relationship($1, isFirst: $0 == 0) }),
        ])
    }

    private func payloadTable(_ table: PayloadTable) -> TemplateValue {
        .object([
            "owner": .text(table.owner),
            "protocol": .text(table.isEntity ? "PayloadDecodable" : "PayloadOwner"),
            "attributes": .texts(table.availability),
            "ownerAccess": .text(table.access.prefix),
            "attribute": .text(table.isDeprecated ? "@available(*, deprecated) " : ""),
            "keys": .texts(PayloadCode(table).lines),
            "openConditions": .texts(table.conditions.flatMap(\.directives)),
            "closeConditions": .list(table.conditions.map { _ in .text("#endif") }),
        ])
    }

    private func relationship(_ relationship: Relationship, isFirst: Bool) -> TemplateValue {
        let names = relationship.names
        let isVariable = relationship.setterAccess != nil
        let cardinality = relationship.cardinality
        let isCase = relationship.property.isCase
        // The getter of arrays of arrays has another type than its setter, and a case can't be set to nil.
        let isSettable =
            isVariable && !isCase && cardinality.container != .nested
            && (cardinality.isToMany || cardinality.isOptional)
        let code = RelationshipCode(relationship)
        return .object([
            "isFirst": .flag(isFirst),
            "isToMany": .flag(cardinality.isToMany),
            "isVariable": .flag(isVariable),
            "isOptional": .flag(relationship.isOptional),
            "isCase": .flag(isCase),
            "isSettable": .flag(isSettable),
            "case": .text(code.caseName),
            "property": .text(code.property),
            "propertyType": .text(code.propertyType),
            "path": .text(code.path),
            "related": .text(relationship.target),
            // The line is left out, so that an edit above the annotation doesn't change the output.
            "file": .text(relationship.fileName),
            "name": .text(SwiftWords.declared(names.accessor)),
            "setter": .text(SwiftWords.declared(names.setter)),
            "fetch": .text(SwiftWords.declared(names.fetch)),
            "hasInverse": .flag(relationship.inverse != nil),
            "inverse": .text(relationship.inverse.map { "\(relationship.target).\($0)" } ?? ""),
            "attribute": .text(relationship.property.availability.map { $0 + " " }.joined()),
            "access": .text(relationship.access.prefix),
            "setterAccess": .text((relationship.setterAccess ?? relationship.access).prefix),
            "setAccess": .text(isSettable ? setAccess(of: relationship) : ""),
            "type": .text(code.type),
            "entitiesType": .text(code.entitiesType),
            "fetchedType": .text(code.fetchedType),
            "kind": .text(code.kind),
            "key": .text(relationship.key ?? ""),
            "absence": .text(code.absence),
            "noun": .text(code.noun),
            "found": .text(code.found(in: "the cache")),
            "foundIn": .text(code.found(in: "`cache`")),
            // A setter with a lower access level must not be reachable through a public description.
            "isDescribedSettable": .flag(
                !isCase && (relationship.setterAccess.map { $0 >= relationship.access } ?? false)
            ),
            "openConditions": .texts(relationship.property.conditions.flatMap(\.directives)),
            "closeConditions": .list(relationship.property.conditions.map { _ in .text("#endif") }),
        ])
    }

    /// The text before `set` where the setter has a lower access level than the getter.
    private func setAccess(of relationship: Relationship) -> String {
        guard let setter = relationship.setterAccess, setter < relationship.access else { return "" }
        return "\(setter.rawValue)(set) "
    }

    private func imports(_ imports: GeneratedImports) -> [TemplateValue] {
        imports.declarations.map { declaration in
            .object([
                "text": .text(declaration.text),
                "openConditions": .texts(declaration.conditions.flatMap(\.directives)),
                "closeConditions": .list(declaration.conditions.map { _ in .text("#endif") }),
            ])
        }
    }
}

extension AccessLevel {
    /// The modifier with a trailing space that gives a declaration the access level.
    fileprivate var prefix: String {
        switch self {
        case .public, .open: "public "
        case .package: "package "
        default: ""
        }
    }
}
