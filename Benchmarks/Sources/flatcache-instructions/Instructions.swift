import FlatCache
import Foundation

/// Does one operation on the same entities as often as it is told to, and nothing else that depends on how often.
///
///     flatcache-instructions get 20000
///
/// The script `instructions` has the processor's instructions counted while this program runs.
@main
enum Instructions {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        guard
            arguments.count == 2,
            let operation = arguments.first.flatMap(Operation.init),
            let count = arguments.last.flatMap({ Int($0) }), count >= 0
        else {
            let operations = Operation.allCases.map(\.rawValue).joined(separator: "|")
            FileHandle.standardError.write(Data("Usage: flatcache-instructions \(operations) COUNT\n".utf8))
            exit(EX_USAGE)
        }
        operation.run(count)
    }
}

/// What can be counted.
enum Operation: String, CaseIterable {
    /// A read of a stored entity by its identifier.
    case get
    /// A read of an entity that isn't stored.
    case miss
    /// A write that changes an entity nobody observes.
    case set
    /// A change in place of an entity nobody observes.
    case update
    /// A read of a stored entity through a handle.
    case handle
    /// A write that changes an entity with one observer.
    case notify
    /// A read that Observation would hear of, if anybody tracked.
    case tracked
    /// A write that changes one of ten entities that an observer has read, who reads all of them again.
    case derive
    /// An entity at the end of a list of about a hundred.
    case list
}

extension Operation {
    func run(_ count: Int) {
        let entries = (0..<10_000).map { Entry(number: $0) }
        let cache = FlatCache()
        cache.set(contentsOf: entries)
        let ids = entries.map(\.id)
        switch self {
        case .get: times(count, ids) { use(cache.get(Entry.self, id: $0)) }
        case .miss: times(count, ids.map { "9" + $0.dropFirst() }) { use(cache.get(Entry.self, id: $0)) }
        case .set: times(count, changing(entries)) { cache.set($0) }
        case .update: times(count, ids) { cache.update(Entry.self, id: $0) { $0.likes += 1 } }
        case .handle:
            let handles = ids.map { Cached(Entry.self, id: $0, in: cache) }
            for handle in handles { use(handle.value) }
            times(count, handles) { use($0.value) }
        case .notify:
            let subscriptions = ids.map { cache.observe(Entry.self, id: $0) { use($0.value) } }
            times(count, changing(entries)) { cache.set($0) }
            withExtendedLifetime(subscriptions) {}
        case .tracked: times(count, ids) { id in use(cache.tracked { $0.get(Entry.self, id: id) }) }
        case .derive:
            let subscriptions = stride(from: 0, to: ids.count, by: 10).map { begin in
                let ids = ids[begin..<begin + 10]
                return cache.observe { Self.likes(of: ids, in: .current) } onChange: { use($0) }
            }
            times(count, changing(entries)) { cache.set($0) }
            withExtendedLifetime(subscriptions) {}
        case .list:
            let lists = (0..<1_000).map { cache.list("list \($0)", of: Entry.self) }
            let listed = ids.map { "9" + $0.dropFirst() }.prefix(100)
            for list in lists { list.replace(withIDs: listed) }
            // An entity that comes again goes to the next list.
            for turn in 0..<count {
                let cycle = turn / entries.count
                lists[(turn + cycle) % lists.count].append(contentsOf: CollectionOfOne(entries[turn % entries.count]))
            }
        }
    }

    private static func likes(of ids: ArraySlice<String>, in cache: FlatCache) -> Int {
        ids.reduce(0) { $0 + (cache.get(Entry.self, id: $1)?.likes ?? 0) }
    }

    /// Calls a body with one element after the other, from the beginning again when all are through.
    private func times<Element>(_ count: Int, _ elements: [Element], _ body: (Element) -> Void) {
        for turn in 0..<count { body(elements[turn % elements.count]) }
    }

    /// The entities with another value, and then as they were: written in this order, each write is a change.
    private func changing(_ entries: [Entry]) -> [Entry] {
        let changed = entries.map { entry in
            var entry = entry
            entry.likes += 1
            return entry
        }
        return changed + entries
    }
}

/// Takes a result as an app does, and can't be optimized away with what made it.
@inline(never)
@_optimize(none)
func use(_ value: borrowing Entry?) {}

@inline(never)
@_optimize(none)
func use(_ value: Int) {}
