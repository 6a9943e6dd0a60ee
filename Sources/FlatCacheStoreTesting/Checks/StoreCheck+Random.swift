internal import FlatCacheStore

extension StoreCheck {
    /// A check that writes random batches, and opens the store again between some of them.
    ///
    /// ``all`` has one with a seed of its own. Its failure names the seed, with which a test can repeat it:
    ///
    ///     try StoreCheck.randomBatches(seed: 1234).run { MyStore(at: folder) }
    ///
    /// - Parameter seed: The number that determines the batches.
    public static func randomBatches(seed: UInt64) -> StoreCheck {
        StoreCheck("Random batches leave the records that a dictionary has after them") { place in
            var random = SeededGenerator(seed: seed)
            var step = 0
            do {
                var store = try place.open()
                while step < 300 {
                    step += 1
                    try store.performRandomStep(in: place, &random)
                    if Int.random(in: 0..<12, using: &random) == 0 {
                        store.close()
                        store = try place.open()
                    }
                    try store.expectRecords("after step \(step)")
                }
            } catch let unmet as UnmetExpectation {
                throw UnmetExpectation(
                    expected: unmet.expected,
                    found: "\(unmet.found), in step \(step) of 'StoreCheck.randomBatches(seed: \(seed))'"
                )
            }
        }
    }
}

extension CheckedStore {
    fileprivate func performRandomStep(in place: StorePlace, _ random: inout SeededGenerator) throws {
        switch Int.random(in: 0..<50, using: &random) {
        case 0: try removeAll()
        case 1..<8: try flush()
        default: try write(Self.randomBatch(&random))
        }
    }

    /// Makes a batch that has each key of a group once, and removes all records of a group only in the first part of it.
    private static func randomBatch(_ random: inout SeededGenerator) -> [StoreBatch.Part] {
        var usedKeys: [RecordGroup: Set<[UInt8]>] = [:]
        return (0..<Int.random(in: 0...4, using: &random)).map { _ in
            let group = RecordGroup(
                RecordGroup.Kind.allCases.randomElement(using: &random) ?? .entities,
                of: Bool.random(using: &random) ? "Post" : "Author"
            )
            let removesAll = usedKeys[group] == nil && Int.random(in: 0..<8, using: &random) == 0
            let keys = (0..<Int.random(in: 0...6, using: &random)).map { _ in randomKey(&random) }
            let newKeys = keys.filter { usedKeys[group, default: []].insert($0).inserted }
            let changes = newKeys.map { RecordChange(key: $0[...], value: randomValue(&random)) }
            return StoreBatch.Part(group, removesAll: removesAll, changes: changes)
        }
    }

    /// Makes one of 25 keys.
    private static func randomKey(_ random: inout SeededGenerator) -> [UInt8] {
        [UInt8](repeating: .random(in: 0..<8, using: &random), count: .random(in: 0..<4, using: &random))
    }

    /// Makes the content of a record, or `nil` to remove it.
    private static func randomValue(_ random: inout SeededGenerator) -> ArraySlice<UInt8>? {
        if Int.random(in: 0..<4, using: &random) == 0 { return nil }
        return (0..<Int.random(in: 0...40, using: &random)).map { _ in .random(in: 0 ... .max, using: &random) }[...]
    }
}
