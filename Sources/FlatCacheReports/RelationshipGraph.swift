package import RelationshipGenerator

/// A graph of the relationships of one or more targets: types, and edges between them.
///
/// A type without relationships and indexes is not part of the graph. A type of another module is part of it if a relationship
/// leads to it.
package struct RelationshipGraph: Sendable {
    /// A relationship, alone, with its backlink, or with its inverse.
    struct Edge: Sendable, Hashable {
        var from: String
        var to: String
        /// The identifier property, and the identifier property or backlink that leads back, with their delete rules.
        var label: String
        /// The number of entities at the end for each one at the beginning.
        var end: Multiplicity
        /// The number of entities at the beginning for each one at the end, or `nil` when it is unknown.
        var beginning: Multiplicity?
    }

    /// The number of entities that a relationship leads to.
    enum Multiplicity: Sendable, Comparable {
        case one, optional, many

        /// The range of possible numbers.
        var range: String {
            switch self {
            case .one: "1"
            case .optional: "0..1"
            case .many: "*"
            }
        }
    }

    /// An index that an annotation declares.
    struct Index: Sendable, Hashable {
        var property: String
        var isUnique: Bool
    }

    let edges: [Edge]
    /// The indexes of each type, in the order of the sources.
    let indexes: [String: [Index]]

    /// The labels of all types, sorted.
    var types: [String] { Set(edges.flatMap { [$0.from, $0.to] }).union(indexes.keys).sorted() }

    /// Creates a graph from the reports of targets.
    package init(_ reports: [TargetReport]) {
        let annotations = reports.sorted { $0.target < $1.target }.flatMap(\.annotations)
        let relationships = annotations.compactMap(\.relationship)
        let declared = annotations.compactMap(\.index)
        let types = relationships.flatMap { [$0.owner, $0.related] } + declared.map(\.owner)
        let label = Self.labels(of: types, modules: Set(reports.map(\.target)))
        // Sorted by type. The sort is stable, so the order of the source is kept within a type.
        let sorted = relationships.sorted { label($0.owner) < label($1.owner) }
        let partners = Self.partners(among: sorted)
        var edges: [Edge] = []
        var seen: Set<Edge> = []
        for (index, relationship) in sorted.enumerated() {
            let partner = partners[index]
            if let partner, partner < index { continue }
            let back = partner.map { sorted[$0] }
            let edge = Edge(
                from: label(relationship.owner),
                to: label(relationship.related),
                label: partner.map { $0 == index } ?? true
                    ? relationship.label + (relationship.backlink.map { " / \($0)" } ?? "")
                    : "\(relationship.label) / \(back?.label ?? "")",
                end: Multiplicity(relationship),
                beginning: relationship.backlink.map { _ in .many } ?? back.map(Multiplicity.init)
            )
            // Branches of conditional compilation may declare the same relationship.
            if seen.insert(edge).inserted { edges.append(edge) }
        }
        self.edges = edges
        var indexes: [String: [Index]] = [:]
        for index in declared {
            let entry = Index(property: index.property, isUnique: index.isUnique)
            // Branches of conditional compilation may declare the same index.
            if indexes[label(index.owner)]?.contains(entry) != true {
                indexes[label(index.owner), default: []].append(entry)
            }
        }
        self.indexes = indexes
    }

    /// The inverse of each relationship, by index.
    ///
    /// A relationship can be its own inverse.
    private static func partners(among relationships: [RelationshipReport]) -> [Int: Int] {
        var indices: [Side: Int] = [:]
        for (index, relationship) in relationships.enumerated() {
            let side = Side(type: relationship.owner, property: relationship.property)
            if indices[side] == nil { indices[side] = index }
        }
        var partners: [Int: Int] = [:]
        for (index, relationship) in relationships.enumerated() {
            guard let inverse = relationship.inverse,
                let other = indices[Side(type: relationship.related, property: inverse)],
                relationships[other].related == relationship.owner
            else { continue }
            partners[index] = other
            partners[other] = index
        }
        return partners
    }

    /// One side of a relationship.
    private struct Side: Hashable {
        var type: GraphType
        var property: String
    }

    /// The labels of types.
    ///
    /// A label has the module if two types have the same name, or the type belongs to another module.
    private static func labels(of types: [GraphType], modules: Set<String>) -> (GraphType) -> String {
        let homonyms = Dictionary(grouping: Set(types), by: \.name).filter { $0.value.count > 1 }
        return { type in
            let isUnique = homonyms[type.name] == nil && modules.contains(type.module)
            return isUnique ? type.name : "\(type.module).\(type.name)"
        }
    }
}

extension RelationshipReport {
    /// The property with its delete rule.
    fileprivate var label: String { property + (deleteRule.map { " (\($0.rawValue))" } ?? "") }
}

extension RelationshipGraph.Multiplicity {
    fileprivate init(_ relationship: RelationshipReport) {
        self = relationship.isToMany ? .many : relationship.isOptional ? .optional : .one
    }
}
