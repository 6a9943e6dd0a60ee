internal import Synchronization

/// The numbers of replacements of identifiers in a cache.
@usableFromInline
final class ReplacementCounts: Sendable {
    private let begun = Atomic<Int>(0)
    private let ended = Atomic<Int>(0)

    /// Whether identifiers were replaced.
    @usableFromInline var haveBegun: Bool { begun.load(ordering: .relaxed) > 0 }

    /// Notes that a transaction begins to replace an identifier.
    func begin() { begun.add(1, ordering: .sequentiallyConsistent) }

    /// Notes that the transaction has ended.
    func end() { ended.add(1, ordering: .sequentiallyConsistent) }

    /// The number of replacements that have begun, or `nil` if some haven't ended.
    var complete: Int? {
        // The numbers only grow, so they are equal in between if they are equal here.
        let ended = ended.load(ordering: .sequentiallyConsistent)
        return ended == begun.load(ordering: .sequentiallyConsistent) ? ended : nil
    }
}
