import SeededRandom
import Testing

@testable import FlatCache

@Suite("Identities of slots")
struct SlotIdentityTests {
    @Test("No slot has the identity of an earlier one, although shards use each other's memory")
    func unique() {
        let layout = EntityLayout.of(Counter.self)
        var slabs = (0..<4).map { _ in SlotSlab() }
        var slots = slabs.map { _ in [Slot]() }
        var identities: Set<SlotIdentity> = []
        var random = SeededGenerator(seed: Seeds.one)
        let count = 20_000
        for number in 0..<count {
            let shard = random.below(slabs.count)
            // Now and then a shard has no slots, and gives its memory back.
            if random.below(16) == 0 {
                while let slot = slots[shard].popLast() {
                    _ = slabs[shard].free(slot, layout, count: slots[shard].count)
                }
            }
            let slot = slabs[shard].make(layout, bucket: 0, count: slots[shard].count)
            slot.idAddress(of: Counter.self).initialize(to: number)
            slots[shard].append(slot)
            identities.insert(SlotIdentity(slot))
        }
        #expect(identities.count == count)
        for shard in slabs.indices {
            while let slot = slots[shard].popLast() { _ = slabs[shard].free(slot, layout, count: slots[shard].count) }
            slabs[shard].destroy()
        }
    }
}
