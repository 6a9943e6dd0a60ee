/// A graph of the relationships of one or more targets: types, and edges between them.
///
/// A type without relationships is not part of the graph. A type of another module is part of it if a relationship
/// leads to it.
package struct RelationshipGraph: Sendable {
    /// A relationship, or two relationships that are inverses of each other.
    struct Edge: Sendable, Hashable {
        var from: String
        var to: String
        /// The identifier property, or both identifier properties.
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

    let edges: [Edge]

    /// The labels of all types, sorted.
    var types: [String] { Set(edges.flatMap { [$0.from, $0.to] }).sorted() }

    /// Creates a graph from the reports of targets.
    package init(_ reports: [TargetReport]) {
        let relationships = reports.sorted { $0.target < $1.target }.flatMap(\.annotations).compactMap(\.relationship)
        let label = Self.labels(of: relationships, modules: Set(reports.map(\.target)))
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
                    ? relationship.property : "\(relationship.property) / \(back?.property ?? "")",
                end: Multiplicity(relationship),
                beginning: back.map(Multiplicity.init)
            )
            // Branches of conditional compilation may declare the same relationship.
            if seen.insert(edge).inserted { edges.append(edge) }
        }
        self.edges = edges
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
    private static func labels(
        of relationships: [RelationshipReport],
        modules: Set<String>
    ) -> (GraphType) -> String {
        let types = Set(relationships.flatMap { [$0.owner, $0.related] })
        let homonyms = Dictionary(grouping: types, by: \.name).filter { $0.value.count > 1 }
        return { type in
            let isUnique = homonyms[type.name] == nil && modules.contains(type.module)
            return isUnique ? type.name : "\(type.module).\(type.name)"
        }
    }
}

extension RelationshipGraph.Multiplicity {
    fileprivate init(_ relationship: RelationshipReport) {
        self = relationship.isToMany ? .many : relationship.isOptional ? .optional : .one
    }
}
