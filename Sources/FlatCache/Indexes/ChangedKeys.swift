/// The entities that a transaction has changed, by the keys of an index.
///
/// It follows the log of the changes, so the keys of a changed entity are computed once for each change, at the next query.
final class ChangedKeys<Value: Cachable, Key: Hashable & Sendable> {
    /// The numbers of the keys.
    private var numbers = KeyedValues<Key, Int>()
    /// The places of the changed entities with each key.
    private var places: [Set<Int>] = []
    /// The numbers of the keys of the entity at each place.
    private var known: [Int: [Int]] = [:]
    /// The position in the log up to which the changes are known.
    private var position = -1
    /// Whether code of keys may be running, which can itself ask the index.
    private var isUpdating = false

    /// The places of the changed entities with a key, or `nil` if this is called by the code of a key.
    ///
    /// It runs user code, so no lock may be held.
    func places(
        with key: Key,
        of changes: TableTransaction<Value>,
        in snapshot: Snapshot,
        _ keys: FlatCache.Index<Value>.Keys<Key>
    ) -> [Int]? {
        if isUpdating { return nil }
        isUpdating = true
        defer { isUpdating = false }
        for place in changes.takeChanges(since: &position) {
            let value = changes.newValue(at: place, in: snapshot)
            set(value.map { keys.distinct($0) } ?? [], at: place)
        }
        return numbers[key].map { places[$0].sorted() } ?? []
    }

    private func set(_ keys: [Key], at place: Int) {
        let old = known.isEmpty ? nil : known.removeValue(forKey: place)
        for number in old ?? [] { places[number].remove(place) }
        if keys.isEmpty { return }
        var new: [Int] = []
        // A key that isn't equal to itself, such as NaN, would never be found. Each is compared once, because the result can be
        // another one each time.
        for key in keys where key == key {
            let number = number(of: key)
            places[number].insert(place)
            new.append(number)
        }
        known[place] = new
    }

    private func number(of key: Key) -> Int {
        if let known = numbers[key] { return known }
        numbers[key] = places.count
        places.append([])
        return places.count - 1
    }
}

extension TableTransaction {
    /// The new entity of an entry, without its place, or `nil` if it isn't changed or is removed.
    func newValue(at place: Int, in snapshot: Snapshot) -> Value? {
        entries[place].isChanged ? changedValue(at: place, in: snapshot) : nil
    }

    /// The new entity of an entry, or `nil` if it isn't changed or is removed.
    func newEntity(at place: Int, in snapshot: Snapshot) -> StoredEntity<Value>? {
        entries[place].isChanged ? changedEntity(at: place, in: snapshot) : nil
    }
}
