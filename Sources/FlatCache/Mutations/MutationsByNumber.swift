/// Mutations in the order of their numbers.
///
/// An array takes less time than a dictionary, because new mutations have the greatest numbers.
struct MutationsByNumber {
    /// The mutations, or `nil` in place of those that were removed.
    private var entries: [(number: UInt64, mutation: PendingMutation?)] = []
    /// The number of mutations.
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// The mutations in order.
    ///
    /// - Complexity: O(*n*)
    var all: [PendingMutation] { entries.compactMap { $0.mutation } }

    /// The mutation with a number, or `nil` for none.
    ///
    /// - Complexity: O(log *n*)
    subscript(number: UInt64) -> PendingMutation? { place(of: number).flatMap { entries[$0].mutation } }

    /// Adds a mutation.
    ///
    /// - Returns: The mutation that had its number, or `nil` if there was none.
    /// - Complexity: O(*k*) for *k* mutations with greater numbers.
    mutating func insert(_ mutation: PendingMutation) -> PendingMutation? {
        let number = mutation.number
        count += 1
        guard let last = entries.last, last.number >= number else {
            entries.append((number, mutation))
            return nil
        }
        var place = entries.endIndex
        while place > entries.startIndex, entries[place - 1].number >= number { place -= 1 }
        if entries[place].number != number {
            entries.insert((number, mutation), at: place)
            return nil
        }
        let old = entries[place].mutation
        entries[place].mutation = mutation
        if old != nil { count -= 1 }
        return old
    }

    /// Removes the mutation with a number.
    ///
    /// - Returns: The mutation, or `nil` if there was none.
    /// - Complexity: O(log *n*), on average.
    mutating func remove(_ number: UInt64) -> PendingMutation? {
        guard let place = place(of: number), let mutation = entries[place].mutation.take() else { return nil }
        count -= 1
        if count * 2 <= entries.count { entries.removeAll { $0.mutation == nil } }
        return mutation
    }

    /// The place of a number, by binary search.
    private func place(of number: UInt64) -> Int? {
        var (low, high) = (entries.startIndex, entries.endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if entries[middle].number < number { low = middle + 1 } else { high = middle }
        }
        return low < entries.endIndex && entries[low].number == number ? low : nil
    }
}
