import FlatCache
import Foundation

/// Writes of entities that a live query finds, among many others, and the same writes without the query.
///
/// The environment variable `STORED` is the number of stored entities, which is 1,000 if it isn't set.
struct GrowthWork {
    private let count: Int
    private let cache = FlatCache()
    /// The first 100 of 200 entities that are written, in the order of their likes, are the limited answer.
    private let marked: [Entry]

    init(_ count: Int) {
        self.count = count
        let stored = ProcessInfo.processInfo.environment["STORED"].flatMap { Int($0) } ?? 1_000
        let marked = (0..<200).map { number in
            var entry = Entry(number: number)
            entry.views = number % 2 - 1
            entry.likes = Self.likes(of: number, in: 0)
            return entry
        }
        self.marked = marked
        cache.set(contentsOf: marked)
        for begin in stride(from: 200, to: stored, by: 1_000) {
            cache.set(contentsOf: (begin..<min(begin + 1_000, stored)).map { Entry(number: $0) })
        }
    }

    /// Likes less than those of all other entities, of which half are among the first 100, and change from round to round.
    private static func likes(of number: Int, in round: Int) -> Int {
        (number * 7 + round * 13) % 200 * 1_000 - 1_000_000
    }

    /// Writes the 100 entities with -1 views.
    @inline(never) func alone() { write(every: 2) }

    /// The same with a query that finds them.
    @inline(never) func matching() {
        let query = cache.query(FlatCache.Query(Entry.self).filter(\.views, equals: -1).sorted(by: \.likes))
        let subscription = query.observe { use(Int($0.revision)) }
        write(every: 2)
        withExtendedLifetime(subscription) {}
    }

    /// Writes 200 entities.
    @inline(never) func manyAlone() { write(every: 1) }

    /// The same with a query that all entities match, and whose limit half of the written ones are in.
    @inline(never) func limited() {
        let query = cache.query(FlatCache.Query(Entry.self).sorted(by: \.likes).limit(100))
        let subscription = query.observe { use(Int($0.revision)) }
        write(every: 1)
        withExtendedLifetime(subscription) {}
    }

    private func write(every step: Int) {
        let numbers = Array(stride(from: 0, to: marked.count, by: step))
        for turn in 0..<count {
            let number = numbers[turn % numbers.count]
            var entry = marked[number]
            entry.likes = Self.likes(of: number, in: turn / numbers.count + 1)
            cache.set(entry)
        }
    }
}
