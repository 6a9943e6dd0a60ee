import SeededRandom

/// What the environment says of the tests with histories.
///
///     FLATCACHE_HISTORIES=100000     more rounds
///     FLATCACHE_SEED=42              one program again and again, as a failure names it
enum HistorySettings {
    /// The seeds of the programs of a test.
    ///
    /// - Parameter rounds: How many there are unless the environment asks for a number.
    static func seeds(_ rounds: Int) -> [UInt64] {
        let count = Seeds.number("FLATCACHE_HISTORIES").map { Int($0) } ?? rounds
        if let seed = Seeds.replayed { return Array(repeating: seed, count: count) }
        // Other ones each time: the threads never meet in the same way twice anyhow.
        let first = UInt64.random(in: 0..<1 << 48)
        return (0..<count).map { first + UInt64($0) }
    }
}
