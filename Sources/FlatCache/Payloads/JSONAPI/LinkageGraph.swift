/// The resources of a document and the relationships between them.
///
/// It finds resources that are there several times, and included resources to which nothing leads.
struct LinkageGraph {
    private var nodes: [Key: Int] = [:]
    /// The nodes to which the relationships of each node lead.
    private var targets: [[Int]] = []
    /// Whether the document has a resource object for each node.
    private var hasObject: [Bool] = []
    private var primary: [Int] = []
    private var included: [(node: Int, resource: Included)] = []

    /// An included resource with its place in the document.
    struct Included {
        let identifier: JSONAPI.Identifier
        let index: Int
    }

    private struct Key: Hashable {
        let type: String
        let id: String
        let isLocal: Bool
    }

    /// Adds a resource.
    ///
    /// - Parameters:
    ///   - identifier: The resource's identification.
    ///   - index: The index among the included resources, or `nil` for primary data.
    ///   - isObject: Whether the document has its fields, not only its identification.
    ///   - linked: Its relationships.
    /// - Returns: Whether this is the first object of the resource.
    mutating func add(
        _ identifier: JSONAPI.Identifier,
        includedAt index: Int?,
        isObject: Bool,
        linked: [(key: AnyCodingKey, linkage: Linkage)]
    ) -> Bool {
        guard let node = node(of: identifier) else { return true }
        if let index {
            included.append((node, Included(identifier: identifier, index: index)))
        } else {
            primary.append(node)
        }
        for (_, linkage) in linked {
            for target in linkage.identifiers {
                if let target = self.node(of: target) { targets[node].append(target) }
            }
        }
        if !isObject { return true }
        defer { hasObject[node] = true }
        return !hasObject[node]
    }

    /// The included resources to which no chain of relationships leads from primary data.
    var unlinked: [Included] {
        var isReached = Array(repeating: false, count: targets.count)
        var pending = primary
        while let node = pending.popLast() {
            if isReached[node] { continue }
            isReached[node] = true
            pending.append(contentsOf: targets[node])
        }
        return included.lazy.filter { !isReached[$0.node] }.map { $0.resource }
    }

    private mutating func node(of identifier: JSONAPI.Identifier) -> Int? {
        let local = identifier.lid.map { node(at: Key(type: identifier.type, id: $0, isLocal: true)) }
        guard let id = identifier.id else { return local }
        let server = node(at: Key(type: identifier.type, id: id, isLocal: false))
        if let local, !targets[local].contains(server) { targets[local].append(server) }
        return server
    }

    private mutating func node(at key: Key) -> Int {
        if let node = nodes[key] { return node }
        nodes[key] = targets.count
        targets.append([])
        hasObject.append(false)
        return targets.count - 1
    }
}
