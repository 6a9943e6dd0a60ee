/// Converts relationships and tables of keys into the values that templates use.
struct RelationshipView {
    let validation: RelationshipValidation
    /// The tables of keys, without those that have no key.
    let tables: [PayloadTable]
    let partialEqualities: [PartialEquality]

    /// Creates a view of all that a target's sources declare.
    init(_ validation: RelationshipValidation) {
        self.init(validation, tables: validation.payloadTables, validation.partialEqualities)
    }

    init(_ validation: RelationshipValidation, tables: [PayloadTable], _ partialEqualities: [PartialEquality]) {
        self.validation = validation
        self.tables = tables.filter { !$0.keys.isEmpty }
        self.partialEqualities = partialEqualities
    }

    /// Whether the sources have a valid annotation.
    var isAnnotated: Bool { !validation.relationships.isEmpty || !validation.indexes.isEmpty }

    /// Whether there is something to generate without an annotation.
    var hasTablesOrEqualities: Bool { !tables.isEmpty || !partialEqualities.isEmpty }

    /// The values for rendering a template.
    @_optimize(none)
    var values: [String: TemplateValue] {
        var owners = Owners()
        for member in validation.relationships { owners.members(beside: member).relationships.append(member) }
        for member in validation.backlinks { owners.members(beside: member).backlinks.append(member) }
        for member in validation.indexes { owners.members(beside: member).indexes.append(member) }
        for member in validation.keptInverses { owners.members(beside: member).inverses.append(member) }
        for member in validation.parts { owners.members(beside: member).parts.append(member) }
        let sorted = owners.sorted
        return [
            "target": .text(validation.target.module),
            "hasRelationships": .flag(isAnnotated),
            "hasImports": .flag(isAnnotated || hasTablesOrEqualities),
            "imports": .list(imports(GeneratedImports(self, isWhole: true))),
            "accessorImports": .list(imports(GeneratedImports(self, isWhole: false))),
            "owners": .list(sorted.filter(\.isExtended).map(owner)),
            "containers": .list(sorted.filter { !$0.isDescribed && !$0.parts.isEmpty }.map { container($0.parts) }),
            "payloadTables": .list(tables.ordered { $0.key < $1.key }.map(payloadTable)),
            "partialEqualities": .list(partialEqualities.ordered { $0.key < $1.key }.map(partialEquality)),
        ]
    }

    /// What is generated for one declaration of a type.
    private final class Members {
        let key: String
        var relationships: [Relationship] = []
        var backlinks: [Backlink] = []
        var indexes: [IndexedProperty] = []
        var inverses: [KeptInverse] = []
        var parts: [Part] = []

        init(_ key: String) { self.key = key }

        /// Whether the extension of the type has members besides the list of its parts.
        var isExtended: Bool { any != nil || !inverses.isEmpty }

        /// Whether the relationships of the type are described.
        var isDescribed: Bool { relationships.first?.isDescribed ?? !backlinks.isEmpty }

        /// The member from which the facts on the type are taken.
        var any: GeneratedMember? { relationships.first ?? backlinks.first ?? indexes.first }
    }

    /// The members of all types, by the key of their extension.
    private struct Owners {
        private var numbers: [String: Int] = [:]
        private var all: [Members] = []

        mutating func members(beside member: GeneratedMember) -> Members {
            let key = extensionKey(member.owner, member.ownerConditions, member.ownerAvailability)
            if let number = numbers[key] { return all[number] }
            numbers[key] = all.count
            all.append(Members(key))
            return all[all.count - 1]
        }

        var sorted: [Members] { all.ordered { $0.key < $1.key } }
    }

    @_optimize(none)
    private func owner(_ members: Members) -> TemplateValue {
        guard let first = members.any else { return .object([:]) }
        let relationships = members.relationships.ordered { ($0.file, $0.location) < ($1.file, $1.location) }
        let backlinks = members.backlinks.ordered {
            ($0.relationship.file, $0.location) < ($1.relationship.file, $1.location)
        }
        let indexes = members.indexes.ordered { $0.property.location < $1.property.location }
        let inverses = members.inverses.ordered {
            ($0.relationship.location, $0.inverse.location) < ($1.relationship.location, $1.inverse.location)
        }
        return .object([
            "owner": .text(first.owner),
            "attributes": .texts(first.ownerAvailability),
            "ownerAccess": .text(first.ownerAccess.prefix),
            "isEntity": .flag(relationships.first?.isEntity ?? true),
            "isDescribed": .flag(members.isDescribed),
            "isIndexed": .flag(!indexes.isEmpty),
            "indexAttribute": .text(indexes.contains { $0.property.isDeprecated } ? "@available(*, deprecated) " : ""),
            "indexes": .texts(IndexCode(indexes).lines),
            "inverses": .texts(InverseCode(inverses).lines(first.ownerAccess.prefix)),
            "deleteRules": .texts(DeleteRuleCode(relationships).lines(first.ownerAccess.prefix)),
            "allRelationships": .texts(
                validation.declares("allRelationships", in: first.owner)
                    ? []
                    : RelationshipListCode(relationships, members.isDescribed ? members.parts : [])
                        .lines(first.ownerAccess.prefix)
            ),
            "backlinks": .list(backlinks.enumerated().map { backlink($1, isFirst: relationships.isEmpty && $0 == 0) }),
            "openConditions": .texts(first.ownerConditions.flatMap(\.directives)),
            "closeConditions": .list(first.ownerConditions.map { _ in .text("#endif") }),
            "relationships": .list(relationships.enumerated().map { relationship($1, isFirst: $0 == 0) }),
        ])
    }

    @_optimize(none)
    private func container(_ parts: [Part]) -> TemplateValue {
        guard let first = parts.first else { return .object([:]) }
        return .object([
            "owner": .text(first.owner),
            "attributes": .texts(first.ownerAvailability),
            "ownerAccess": .text(first.ownerAccess.prefix),
            "allRelationships": .texts(RelationshipListCode([], parts).lines(first.ownerAccess.prefix)),
            "openConditions": .texts(first.ownerConditions.flatMap(\.directives)),
            "closeConditions": .list(first.ownerConditions.map { _ in .text("#endif") }),
        ])
    }

    @_optimize(none)
    private func backlink(_ backlink: Backlink, isFirst: Bool) -> TemplateValue {
        let code = BacklinkCode(backlink)
        return .object([
            "isFirst": .flag(isFirst),
            "name": .text(SwiftWords.declared(backlink.name)),
            "path": .text(code.path),
            "referrer": .text(backlink.referrer),
            "property": .text(code.property),
            "comparison": .text(code.comparison),
            "isSorted": .flag(backlink.sorted != nil),
            "sorted": .text(backlink.sorted.map(SwiftWords.member) ?? ""),
            "file": .text(backlink.relationship.fileName),
            "attribute": .text(backlink.availability.map { $0 + " " }.joined()),
            "access": .text(backlink.relationship.access.prefix),
            "found": .text(code.found(in: "the cache")),
            "foundIn": .text(code.found(in: "`cache`")),
            "openConditions": .texts(backlink.conditions.flatMap(\.directives)),
            "closeConditions": .list(backlink.conditions.map { _ in .text("#endif") }),
        ])
    }

    @_optimize(none)
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

    private func partialEquality(_ equality: PartialEquality) -> TemplateValue {
        .object([
            "owner": .text(equality.owner),
            "attributes": .texts(equality.availability),
            "openConditions": .texts(equality.conditions.flatMap(\.directives)),
            "closeConditions": .list(equality.conditions.map { _ in .text("#endif") }),
        ])
    }

    @_optimize(none)
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
            "keepsInverse": .flag(relationship.keepsInverse),
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
            "isDescribedSettable": .flag(relationship.isDescribedSettable),
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

/// The key of members that share an extension, in the order of which extensions are generated: the name of the type, the
/// directives of the `#if` branches around it, and its `@available` attributes.
private func extensionKey(_ name: String, _ conditions: [ConditionalBranch], _ availability: [String]) -> String {
    ([name] + conditions.flatMap(\.directives) + availability).joined(separator: "\0")
}

extension PayloadTable {
    fileprivate var key: String { extensionKey(owner, conditions, availability) }
}

extension PartialEquality {
    fileprivate var key: String { extensionKey(owner, conditions, availability) }
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
