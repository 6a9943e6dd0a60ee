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
            guard ModelOperation.count(of: shorter) < ModelOperation.count(of: shortest) else { break }
            shortest = shorter
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

    private mutating func stillFails(_ operations: [ModelOperation]) async -> Bool {
        guard remainingTries > 0 else { return false }
        remainingTries -= 1
        return await fails(operations)
    }
}
