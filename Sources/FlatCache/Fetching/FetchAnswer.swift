/// Entities of several types that one call of a fetcher brings, and that are stored in one commit.
///
///     cache.setFetcher(of: Status.self) { ids, answer in
///         for page in try await server.statuses(ids) {
///             answer.insert(page.account)
///             answer.insert(contentsOf: page.statuses)
///         }
///     }
public struct FetchAnswer: ~Copyable, Sendable {
    /// The entities of each type.
    ///
    /// The objects belong to the answer alone, which can't be copied.
    private(set) var parts: [ObjectIdentifier: any FetchedPart] = [:]

    init() {}

    /// Adds an entity, of the type that was asked for or of another.
    ///
    /// - Parameter value: The entity. Of two with one identifier, the later is stored.
    /// - Complexity: O(1) on average.
    public mutating func insert<Value: Cachable>(_ value: Value) {
        entities(of: Value.self).values.append(value)
    }

    /// Adds entities of a type.
    ///
    /// - Parameter values: The entities. Of two with one identifier, the later is stored.
    /// - Complexity: O(*n*) on average for *n* entities.
    public mutating func insert<Value: Cachable>(contentsOf values: some Sequence<Value>) {
        entities(of: Value.self).values.append(contentsOf: values)
    }

    /// The entities of a type, none if there are no others yet.
    mutating func entities<Value: Cachable>(of type: Value.Type) -> FetchedEntities<Value> {
        if let part = parts[ObjectIdentifier(type)] as? FetchedEntities<Value> { return part }
        let part = FetchedEntities<Value>()
        parts[ObjectIdentifier(type)] = part
        return part
    }
}
