import Foundation

/// The seeds of random tests.
///
/// A failure names its seed; `FLATCACHE_SEED=… swift test --filter …` replays it.
package enum Seeds {
    /// The seed to replay: `FLATCACHE_SEED`, or `nil`.
    package static var replayed: UInt64? { number("FLATCACHE_SEED") }

    /// The seed to replay, or a new one for each run.
    package static var one: UInt64 { replayed ?? .random(in: 0...UInt64.max) }

    /// The seed to replay alone, or the seeds from 1 on, which are the same in each run.
    ///
    /// - Parameters:
    ///   - count: How many seeds there are.
    ///   - full: How many there are if tests do everything, or `nil` for as many; see ``Extent``.
    ///   - variable: The name of an environment variable that sets another number of seeds.
    package static func first(_ count: Int, full: Int? = nil, orAsIn variable: String? = nil) -> [UInt64] {
        if let replayed { return [replayed] }
        return Array(1...max(1, variable.flatMap(number) ?? UInt64(Extent.count(count, full: full ?? count))))
    }

    /// Returns the value of an environment variable that is a number.
    package static func number(_ variable: String) -> UInt64? {
        ProcessInfo.processInfo.environment[variable].flatMap { UInt64($0) }
    }
}
