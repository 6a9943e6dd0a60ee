internal import Synchronization

/// The numbers of entities that requests have found, and that they haven't.
@usableFromInline
final class RequestCounts: Sendable {
    private let hits = Atomic(0)
    private let misses = Atomic(0)

    var values: (hits: Int, misses: Int) { (hits.load(ordering: .relaxed), misses.load(ordering: .relaxed)) }

    /// Counts the entities of a request.
    @usableFromInline func note(hits: Int, misses: Int) {
        if hits > 0 { self.hits.wrappingAdd(hits, ordering: .relaxed) }
        if misses > 0 { self.misses.wrappingAdd(misses, ordering: .relaxed) }
    }
}
