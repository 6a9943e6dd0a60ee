/// The relationships of one or more targets as a graph: types, and edges between them.
///
/// Types that only other modules declare are in it as far as relationships lead to them; models without relationships are
/// not.
package struct RelationshipGraph: Sendable {
    /// A relationship, or two that are each other's inverse.
    struct Edge: Sendable, Hashable {
        var from: String
        var to: String
        /// The identifier property, or both of them.
        var label: String
        /// How many of the type at the end one at the beginning is related to.
        var end: Multiplicity
        /// The same the other way round, or `nil` when no annotation tells.
        var beginning: Multiplicity?
    }

    /// How many entities a relationship leads to.
    enum Multiplicity: Sendable, Comparable {
        case one, optional, many

        /// The numbers that are possible.
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

    /// Creates the graph of targets.
    package init(_ reports: [TargetReport]) {
        let relationships = reports.sorted { $0.target < $1.target }.flatMap(\.annotations).compactMap(\.relationship)
        let label = Self.labels(of: relationships, modules: Set(reports.map(\.target)))
        // Sorted by type and then, because the sort is stable, as in the source.
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
            // Branches of conditional compilation may declare the same.
            if seen.insert(edge).inserted { edges.append(edge) }
        }
        self.edges = edges
    }

    /// Which relationships are each other's inverse, by their indices; one that leads back to itself is its own.
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

    /// What types are called: by their modules only where those tell them apart, or aren't among the targets.
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
