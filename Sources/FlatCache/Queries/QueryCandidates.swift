/// Where the matches of a query are found in one state.
enum QueryCandidates<Value: Cachable> {
    /// They are among entities that an index has found.
    case entities([StoredEntity<Value>])
    /// They are in ranges of an ordered index, which has places for them.
    case places(Range<Int>, bounds: [any Sendable], of: EntitiesInOrder<Value>)
    /// They are in ranges of an ordered index in the order of the first sort key, of which the first ones are enough.
    case first(IndexedOrder, bounds: [any Sendable], of: EntitiesInOrder<Value>)
    /// They can be anywhere.
    case all
}

extension FlatCache {
    /// Determines where the matches of a query are found, as far as indexes know it.
    ///
    /// - Parameter mayStop: Whether only the matches are needed that determine the answer.
    func candidates<Value: Cachable>(
        for query: Query<Value>,
        in snapshot: Snapshot,
        of table: Table<Value>,
        mayStop: Bool
    ) -> QueryCandidates<Value> {
        for case let keys? in query.conditions.lazy.map({ $0.keys }) {
            let parts = keys.map { indexedEntities(with: $0, in: snapshot, of: table, query.code.read) }
            if parts.allSatisfy({ $0 != nil }) { return .entities(parts.flatMap { $0 ?? [] }) }
        }
        var fewest: (places: Range<Int>, bounds: [any Sendable], entities: EntitiesInOrder<Value>)?
        for range in query.conditions.lazy.compactMap({ $0.range }) {
            let bounds = query.ranges(of: range.property)
            guard let entities = entitiesInOrder(of: range.property, in: snapshot, of: table),
                let places = entities.places(in: bounds)
            else { continue }
            if places.count < fewest?.places.count ?? .max { fewest = (places, bounds, entities) }
        }
        let others: QueryCandidates<Value> =
            fewest.map { .places($0.places, bounds: $0.bounds, of: $0.entities) } ?? .all
        guard mayStop, let needed = query.order.neededCount, let order = query.order.sortKeys.first?.index,
            let entities = entitiesInOrder(of: order.property, in: snapshot, of: table)
        else { return others }
        let bounds = query.ranges(of: order.property)
        guard let places = entities.places(in: bounds) else { return others }
        // If the matches are spread evenly, this number of entities is asked.
        let asked =
            Double(needed) * Double(places.count) / Double(max(1, min(fewest?.places.count ?? .max, places.count)))
        let otherCount = fewest?.places.count ?? entities.count / 4
        if asked > Double(otherCount) { return others }
        return .first(order, bounds: bounds, of: entities)
    }

    /// The entities of a type in the order of a property, or `nil` if no index has them in the state of a snapshot.
    ///
    /// A declared index is built if it is needed for the first time.
    private func entitiesInOrder<Value: Cachable>(
        of property: any AnyKeyPath & Sendable,
        in snapshot: Snapshot,
        of table: Table<Value>
    ) -> EntitiesInOrder<Value>? {
        snapshot.readsBelowLayers(of: table)
            ? nil : orderedIndex(of: property, of: table)?.entitiesInOrder(in: snapshot)
    }
}

extension FlatCache.Query {
    /// The bounds of the conditions that a property is in a range.
    fileprivate func ranges(of property: any AnyKeyPath & Sendable) -> [any Sendable] {
        conditions.lazy.compactMap { $0.range }.filter { $0.property == property }.map { $0.bounds }
    }
}

extension QueryEvaluation {
    /// Adds the matches among candidates, or at least those that determine the answer.
    ///
    /// - Parameters:
    ///   - candidates: The candidates.
    ///   - snapshot: The state.
    ///   - table: The table of the entities.
    mutating func add(_ candidates: QueryCandidates<Value>, in snapshot: Snapshot, of table: Table<Value>) {
        if case .first(let order, let bounds, let entities) = candidates {
            // The first ones of each part are among the first ones of both.
            if let changed = entities.changed { _ = addFirst(in: bounds, of: changed, order, mostAsked: .max) }
            if addFirst(in: bounds, of: entities, order, mostAsked: max(1_024, entities.count / 4)) { return }
            self = QueryEvaluation(of: query)
        }
        candidates.forEachPiece(in: snapshot, of: table, query.code) {
            add($0)
            dropUnneeded()
        }
    }

    /// Adds the first matches in the order of an index.
    ///
    /// - Returns: Whether the matches are enough. If not, so many entities don't match that all should be asked.
    private mutating func addFirst(
        in bounds: [any Sendable],
        of entities: EntitiesInOrder<Value>,
        _ order: IndexedOrder,
        mostAsked: Int
    ) -> Bool {
        guard let needed = query.order.neededCount else { return false }
        var (found, asked) = (0, 0)
        for segment in entities.segments(in: bounds, order) {
            var walk = OrderWalk(over: segment, of: entities, isDescending: order.isDescending, firstCount: needed)
            while let (places, beginsGroup) = walk.next() {
                // With further sort keys, the last of the entities with an equal first key can be the first match.
                if found >= needed && (beginsGroup || query.order.sortKeys.count == 1) { return true }
                if asked >= mostAsked { return false }
                found += add(entities.read(places))
                asked += places.count
                dropUnneeded()
            }
        }
        return true
    }
}

extension EntitiesInOrder {
    /// The places of the entities in ranges, or of all if there are no ranges, in the order of a sort key.
    fileprivate func segments(in bounds: [any Sendable], _ order: IndexedOrder) -> [Range<Int>] {
        guard let places = places(in: bounds) else { return [] }
        if !bounds.isEmpty { return [places] }
        let withoutKey = 0..<places.lowerBound
        return order.isNilFirst ? [withoutKey, places] : [places, withoutKey]
    }

    /// Calls a closure with the entities at places, in pieces.
    fileprivate func forEachPiece(at places: Range<Int>, _ piece: ([StoredEntity<Value>]) -> Void) {
        var walk = OrderWalk(over: places, of: self, isDescending: false, firstCount: .max)
        while let (places, _) = walk.next() { piece(read(places)) }
    }
}

extension QueryCandidates {
    /// Calls a closure with all entities, in pieces.
    ///
    /// - Parameters:
    ///   - snapshot: The state.
    ///   - table: The table of the entities.
    ///   - code: The steps of the query.
    ///   - piece: The closure to call.
    func forEachPiece(
        in snapshot: Snapshot,
        of table: Table<Value>,
        _ code: QueryCode<Value>,
        _ piece: ([StoredEntity<Value>]) -> Void
    ) {
        switch self {
        case .entities(let entities): piece(entities)
        case .places(let places, let bounds, let entities):
            if let changed = entities.changed, let places = changed.places(in: bounds) {
                changed.forEachPiece(at: places, piece)
            }
            entities.forEachPiece(at: places, piece)
        case .first, .all: code.forEachPiece(snapshot, table, piece)
        }
    }
}

/// The places of an ordered index in the order of a sort key, in pieces.
///
/// A piece has all entities with some keys, or some of the entities with one key in the order of insertion.
struct OrderWalk<Value: Cachable> {
    private let entities: EntitiesInOrder<Value>
    private let isDescending: Bool
    private var remaining: Range<Int>
    /// Further entities with the key of the last piece.
    private var group = 0..<0
    private var count: Int

    /// Begins a walk.
    ///
    /// - Parameters:
    ///   - places: The places to visit.
    ///   - entities: The entities of the index.
    ///   - isDescending: Whether greater keys come first.
    ///   - firstCount: The number of entities that are probably needed.
    init(over places: Range<Int>, of entities: EntitiesInOrder<Value>, isDescending: Bool, firstCount: Int) {
        self.entities = entities
        self.isDescending = isDescending
        remaining = places
        count = Swift.max(1, Swift.min(firstCount, Self.greatestCount))
    }

    private static var greatestCount: Int { 1_024 }

    /// The places of the next piece, or `nil` after the last one.
    ///
    /// - Returns: The places, and whether they begin with another key than that of the piece before.
    mutating func next() -> (places: Range<Int>, beginsGroup: Bool)? {
        let beginsGroup = group.isEmpty
        if beginsGroup {
            if remaining.isEmpty { return nil }
            let (places, hasOneKey) = nextKeys()
            remaining =
                isDescending ? remaining.lowerBound..<places.lowerBound : places.upperBound..<remaining.upperBound
            count = Swift.min(count * 2, Self.greatestCount)
            if !hasOneKey { return (places, true) }
            group = places
        }
        let places = group.prefix(Self.greatestCount)
        group = places.upperBound..<group.upperBound
        return (places, beginsGroup)
    }

    /// The places of several keys, or of the next one alone if it has many entities.
    private func nextKeys() -> (places: Range<Int>, hasOneKey: Bool) {
        if remaining.count <= count { return (remaining, false) }
        if isDescending {
            let cut = remaining.upperBound - count
            let start = Swift.max(entities.firstPlace(withKeyAt: cut), remaining.lowerBound)
            if start == cut { return (cut..<remaining.upperBound, false) }
            let end = Swift.min(entities.endPlace(withKeyAt: cut), remaining.upperBound)
            return end < remaining.upperBound ? (end..<remaining.upperBound, false) : (start..<end, true)
        }
        let cut = remaining.lowerBound + count
        let start = entities.firstPlace(withKeyAt: cut)
        if start > remaining.lowerBound { return (remaining.lowerBound..<start, false) }
        return (remaining.lowerBound..<Swift.min(entities.endPlace(withKeyAt: cut), remaining.upperBound), true)
    }
}
