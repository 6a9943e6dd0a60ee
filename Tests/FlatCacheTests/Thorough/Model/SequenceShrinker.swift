/// Makes a failing sequence of operations short enough to be read, by leaving out whatever it fails without.
///
/// The way of QuickCheck, with the large steps first of Andreas Zeller's delta debugging.
struct SequenceShrinker {
    /// Whether a sequence fails.
    let fails: ([ModelOperation]) async -> Bool
    /// How many sequences are tried at most.
    var remainingTries = 3_000

    init(_ fails: @escaping ([ModelOperation]) async -> Bool) {
        self.fails = fails
    }

    /// Returns a part of a failing sequence that fails too.
    mutating func shrink(_ operations: [ModelOperation]) async -> [ModelOperation] {
        var shortest = operations
        while remainingTries > 0 {
            let shorter = await shrinkInner(await shrinkList(shortest) { $0 })
            // Small numbers may let it become shorter at the next turn.
            let isShorter = Self.size(of: shorter) < Self.size(of: shortest)
            shortest = shorter
            guard isShorter else { break }
        }
        return shortest
    }

    /// Leaves out parts of a list, at first large ones, then single operations.
    ///
    /// - Parameter whole: Returns the sequence in which the list is.
    private mutating func shrinkList(
        _ operations: [ModelOperation],
        in whole: ([ModelOperation]) -> [ModelOperation]
    ) async -> [ModelOperation] {
        var shortest = operations
        var length = max(1, shortest.count / 2)
        while true {
            var start = 0
            while start < shortest.count {
                var shorter = shortest
                shorter.removeSubrange(start..<min(start + length, shorter.count))
                if await stillFails(whole(shorter)) { shortest = shorter } else { start += length }
            }
            if length == 1 { return shortest }
            length /= 2
        }
    }

    /// Leaves out parts of what is inside of operations, or puts it in the place of the operation around it.
    private mutating func shrinkInner(
        _ operations: [ModelOperation],
        in whole: ([ModelOperation]) -> [ModelOperation] = { $0 }
    ) async -> [ModelOperation] {
        var shortest = operations
        var index = 0
        while index < shortest.count {
            shortest = await simplify(index, of: shortest, in: whole)
            let operation = shortest[index]
            guard !operation.inner.isEmpty else {
                index += 1
                continue
            }
            var unwrapped = shortest
            unwrapped.replaceSubrange(index...index, with: operation.inner)
            if await stillFails(whole(unwrapped)) {
                shortest = unwrapped
                continue
            }
            let place: ([ModelOperation]) -> [ModelOperation] = { [shortest] inner in
                var copy = shortest
                copy[index].inner = inner
                return copy
            }
            let inner = await shrinkList(operation.inner) { whole(place($0)) }
            shortest = place(await shrinkInner(inner) { whole(place($0)) })
            index += 1
        }
        return shortest
    }

    /// Makes one operation of a list simpler, as far as possible.
    private mutating func simplify(
        _ index: Int,
        of operations: [ModelOperation],
        in whole: ([ModelOperation]) -> [ModelOperation]
    ) async -> [ModelOperation] {
        var simplest = operations
        var candidates = simplest[index].simpler
        while let candidate = candidates.first {
            candidates.removeFirst()
            var copy = simplest
            copy[index] = candidate
            guard await stillFails(whole(copy)) else { continue }
            simplest = copy
            candidates = candidate.simpler
        }
        return simplest
    }

    /// The number of operations, and what their numbers add up to.
    private static func size(of operations: [ModelOperation]) -> Int {
        operations.reduce(0) { $0 + 1 + ($1.number ?? 0) + size(of: $1.inner) }
    }

    private mutating func stillFails(_ operations: [ModelOperation]) async -> Bool {
        guard remainingTries > 0 else { return false }
        remainingTries -= 1
        return await fails(operations)
    }
}
