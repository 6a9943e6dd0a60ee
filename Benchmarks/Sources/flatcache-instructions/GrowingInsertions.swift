import FlatCache
import Foundation

/// Insertions that begin in a list with pending insertions, and are dropped.
///
/// The environment variable `PENDING` is the number of pending insertions, which is 100 if it isn't set.
struct GrowingInsertions {
    private let count: Int
    private let cache = FlatCache()
    private let pending: [Mutation<Void>]

    init(_ count: Int) {
        self.count = count
        let pending = ProcessInfo.processInfo.environment["PENDING"].flatMap { Int($0) } ?? 100
        let sending = cache.mutate(order: .serial("insertions")) { _ in
        } send: {
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
        self.pending = [sending] + (1...pending).map { [cache] in Self.begin($0, in: cache) }
    }

    /// Begins insertions that wait for one that is being sent.
    @inline(never) func run() {
        for _ in 0..<count { Self.begin(0, in: cache).cancel() }
        withExtendedLifetime(pending) {}
    }

    private static func begin(_ number: Int, in cache: FlatCache) -> Mutation<Void> {
        let entry = Entry(number: number)
        let list = cache.list("entries", of: Entry.self)
        return cache.mutate(order: .serial("insertions")) { change in
            change.insert(temporary: entry)
            change.append(entry.id, to: list)
        } send: {
        }
    }
}
