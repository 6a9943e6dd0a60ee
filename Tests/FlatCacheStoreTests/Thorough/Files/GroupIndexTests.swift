import SeededRandom
import Testing

@testable import FlatCacheStore

@Suite struct GroupIndexTests {
    @Test(
        "The index of a group is a dictionary in the order of writing, also if hashes of keys are equal",
        arguments: [UInt32.max, 3, 0]
    )
    func model(hashMask: UInt32) {
        var random = SeededGenerator(seed: UInt64(hashMask) + 1)
        var index = GroupIndex(hashMask: hashMask)
        var model: [String: Int] = [:]
        for number in 0..<3000 {
            let key = "\(random.below(hashMask == .max ? 500 : 40))"
            Array(key.utf8).withUnsafeBytes { bytes in
                if random.below(3) == 0 {
                    index.remove(bytes)
                    model[key] = nil
                } else {
                    index.set(bytes, log: 1, frame: number, offset: 0, size: 10)
                    model[key] = number
                }
                #expect(index.entry(of: bytes)?.frame == model[key])
            }
            if random.below(1000) == 0 {
                index.removeAll()
                model = [:]
            }
        }
        #expect(index.count == model.count)
        #expect(index.size == model.count * 10)
        let live = (0..<index.entries.count).map { index.entries[$0] }.filter(\.isLive)
        #expect(live.map(\.frame) == model.values.sorted())
        for (key, number) in model {
            #expect(Array(key.utf8).withUnsafeBytes { index.entry(of: $0)?.frame } == number)
        }
    }

    @Test("A copy of the entries doesn't change with the index")
    func snapshot() {
        var index = GroupIndex()
        let keys = (0..<10_000).map { Array("\($0)".utf8) }
        for key in keys { key.withUnsafeBytes { index.set($0, log: 1, frame: 0, offset: 0, size: 1) } }
        let copy = index.entries
        for key in keys { key.withUnsafeBytes { index.set($0, log: 2, frame: 0, offset: 0, size: 1) } }
        #expect((0..<copy.count).allSatisfy { copy[$0].log == 1 && copy[$0].isLive })
    }

    @Test("A record is moved only to a log that is newer than the record")
    func moving() {
        var index = GroupIndex()
        let (old, new, none) = (Array("old".utf8), Array("new".utf8), Array("none".utf8))
        old.withUnsafeBytes { index.set($0, log: 1, frame: 1, offset: 1, size: 1) }
        new.withUnsafeBytes { index.set($0, log: 3, frame: 1, offset: 1, size: 1) }
        for key in [old, new, none] { key.withUnsafeBytes { index.move($0, to: 2, frame: 5, offset: 7) } }
        #expect(old.withUnsafeBytes { index.entry(of: $0)?.log } == 2)
        #expect(old.withUnsafeBytes { index.entry(of: $0)?.frame } == 5)
        #expect(old.withUnsafeBytes { index.entry(of: $0)?.offset } == 7)
        #expect(new.withUnsafeBytes { index.entry(of: $0)?.log } == 3)
        #expect(index.count == 2)
    }
}
