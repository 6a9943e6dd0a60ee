import Foundation

/// Random numbers that a seed reproduces (Sebastiano Vigna's SplitMix64).
///
/// `FLATCACHE_SEED` replays the seed that a failure printed.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// The seed to replay, or a new one.
    static var seed: UInt64 {
        ProcessInfo.processInfo.environment["FLATCACHE_SEED"].flatMap(UInt64.init) ?? .random(in: 0...UInt64.max)
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
