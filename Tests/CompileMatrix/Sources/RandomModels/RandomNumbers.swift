/// Random numbers that a seed determines, so that what was found once is found again.
struct RandomNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to a limit.
    mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }

    /// True once in so many times.
    mutating func once(in times: Int) -> Bool { below(times) == 0 }

    /// One of several values.
    mutating func pick<Value>(_ first: Value, _ others: Value...) -> Value {
        let index = below(others.count + 1)
        return index == 0 ? first : others[index - 1]
    }

    /// One of a collection that isn't empty.
    mutating func pick<Values: RandomAccessCollection<Value>, Value>(from values: Values) -> Value {
        values[values.index(values.startIndex, offsetBy: below(values.count))]
    }
}
