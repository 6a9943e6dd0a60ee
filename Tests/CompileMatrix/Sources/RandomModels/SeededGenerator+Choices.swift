import SeededRandom

extension SeededGenerator {
    /// True once in so many times.
    mutating func once(in times: Int) -> Bool { below(times) == 0 }

    /// One of several values.
    mutating func pick<Value>(_ first: Value, _ others: Value...) -> Value {
        let index = below(others.count + 1)
        return index == 0 ? first : others[index - 1]
    }
}
