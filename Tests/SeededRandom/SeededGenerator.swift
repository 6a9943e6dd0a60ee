/// A random number generator whose numbers follow from a seed: Sebastiano Vigna's SplitMix64.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    /// Creates one of many independent generators of one seed: one for each thread, or for each case of a long run.
    package init(seed: UInt64, stream: Int) {
        state = seed &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(truncatingIfNeeded: stream) &* 0xD134_2543_DE82_EF95
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns a number from 0 up to, but not including, a bound.
    package mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

    /// Returns an element of a collection, which must not be empty.
    package mutating func pick<Values: RandomAccessCollection>(from values: Values) -> Values.Element {
        values[values.index(values.startIndex, offsetBy: below(values.count))]
    }
}
