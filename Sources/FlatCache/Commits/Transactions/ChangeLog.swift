/// The places of the entries that a transaction has changed, in the order of the changes.
///
/// Its readers know how far they have read. So each of them sees a change once, however often it asks.
final class ChangeLog {
    // Only the thread of the transaction uses the variables.
    private var places: ContiguousArray<Int32> = []
    /// The position of the first of the places.
    private var start = 0
    /// What the indexes that were asked know of the changed entities.
    private var indexes: [ObjectIdentifier: AnyObject] = [:]

    /// The position of the next change.
    var end: Int { start + places.count }

    /// The number of changes that are kept, for tests.
    var length: Int { places.count }

    /// The places that were changed from a position on, each once, or `nil` if any can be among them.
    func places(since position: Int) -> [Int]? {
        if position < start { return nil }
        let new = places[(position - start)...].lazy.map { Int($0) }
        return new.count > 1 ? Set(new).sorted() : Array(new)
    }

    /// Adds a change.
    ///
    /// - Parameters:
    ///   - place: The place.
    ///   - count: The number of entries. A longer log takes more time and memory than a look at all of them.
    func add(_ place: Int, of count: Int) {
        if places.count > 2 * count + 64 {
            start = end
            places.removeAll(keepingCapacity: true)
        }
        places.append(Int32(truncatingIfNeeded: place))
    }

    /// Records that all entries can have changed.
    func addAll() {
        start = end + 1
        places = []
    }

    /// What an index knows of the changed entities, created if there is nothing.
    func changed<Changed: AnyObject>(of index: AnyObject, _ make: () -> Changed) -> Changed {
        let id = ObjectIdentifier(index)
        // Each index uses one type.
        if let known = indexes[id] { return unsafeDowncast(known, to: Changed.self) }
        let made = make()
        indexes[id] = made
        return made
    }
}

extension EntityTransaction {
    /// Records a change, after the first index was asked.
    ///
    /// The result of a pending merge isn't recorded. Who reads the log determines it.
    @inline(never) final func logChange(at place: Int) { changeLog?.add(place, of: entries.list.count) }

    /// What an index knows of the changed entities, which are logged from now on.
    final func changed<Changed: AnyObject>(of index: AnyObject, _ make: () -> Changed) -> Changed {
        let log = changeLog ?? ChangeLog()
        changeLog = log
        return log.changed(of: index, make)
    }

    /// The places of the entries that can have changed since a position, and sets the position to that of the next change.
    ///
    /// - Parameter position: The position, or -1 for the first time.
    final func takeChanges(since position: inout Int) -> [Int] {
        defer { position = changeLog?.end ?? position }
        return changeLog?.places(since: position) ?? Array(entries.list.indices)
    }
}
