import FlatCache

/// An entity whose identifier counts how often it is hashed.
///
/// The identifiers that are to be counted together share a count, so that tests that run beside each other don't mix.
struct HashCounting: Cachable {
    let id: Identifier

    init(_ number: Int, _ hashes: Protected<Int>) {
        id = Identifier(number: number, hashes: hashes)
    }

    struct Identifier: Hashable, Sendable {
        let number: Int
        let hashes: Protected<Int>

        static func == (lhs: Identifier, rhs: Identifier) -> Bool { lhs.number == rhs.number }

        func hash(into hasher: inout Hasher) {
            hashes.withLock { $0 += 1 }
            hasher.combine(number)
        }
    }
}
