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
        }
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
