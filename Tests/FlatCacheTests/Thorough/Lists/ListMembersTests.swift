import SeededRandom
import Testing

@testable import FlatCache

@Suite("Members of lists")
struct ListMembersTests {
    /// An identifier of which several have the same hash.
    private struct Clashing: Hashable, Sendable {
        let number: Int
        let hashCount: Int

        static func == (lhs: Clashing, rhs: Clashing) -> Bool { lhs.number == rhs.number }

        func hash(into hasher: inout Hasher) { hasher.combine(number % hashCount) }
    }

    @Test(
        "Members change as those of a set do, also when hashes collide, and earlier versions stay as they were",
        arguments: Seeds.first(5),
        [1, 3, 40, 100_000]
    )
    func model(seed: UInt64, hashCount: Int) {
        var random = SeededGenerator(seed: seed)
        var members = ListMembers<Clashing>()
        var set: Set<Int> = []
        var versions: [(members: ListMembers<Clashing>, set: Set<Int>)] = []
        let range = hashCount < 10 ? 0..<100 : 0..<1_000
        for step in 0..<range.count * 4 {
            let number = Int.random(in: range, using: &random)
            let id = Clashing(number: number, hashCount: hashCount)
            // First more come than go, then fewer.
            if Int.random(in: 0..<10, using: &random) < (step < range.count * 2 ? 7 : 2) {
                let isNew = members.insert(id)
                #expect(isNew == set.insert(number).inserted)
            } else {
                let wasThere = members.remove(id)
                #expect(wasThere == (set.remove(number) != nil))
            }
            if step % (range.count / 2) == 0 { versions.append((members, set)) }
        }
        for version in versions + [(members, set)] {
            for number in range {
                let id = Clashing(number: number, hashCount: hashCount)
                #expect(version.members.contains(id) == version.set.contains(number))
            }
        }
        for number in set { _ = members.remove(Clashing(number: number, hashCount: hashCount)) }
        #expect(members.root.isBucket && members.root.entries.isEmpty)
    }

    @Test("An identifier is hashed when it is asked for, and not to make room for others")
    func hashes() {
        let hashes = Protected(0)
        var members = ListMembers<HashCounting.Identifier>()
        for number in 0..<2_000 {
            _ = members.insert(HashCounting.Identifier(number: number, hashes: hashes))
        }
        #expect(hashes.withLock { $0 } == 2_000)
        #expect(members.contains(HashCounting.Identifier(number: 5, hashes: hashes)))
        _ = members.remove(HashCounting.Identifier(number: 5, hashes: hashes))
        #expect(hashes.withLock { $0 } == 2_002)
    }

    @Test("A change copies a few nodes, whatever the number of members", arguments: [1_000, 30_000])
    func copies(count: Int) {
        var members = ListMembers<Int>()
        for number in 0..<count { _ = members.insert(number) }
        for number in count..<count + 5 {
            var changed = members
            _ = changed.insert(number)
            #expect(changed.root.newElementCount(since: members.root) < 200)
            changed = members
            _ = changed.remove(number - count)
            #expect(changed.root.newElementCount(since: members.root) < 200)
        }
    }
}

extension IDTrie.Node {
    /// The number of entries and children in arrays that another tree doesn't have.
    fileprivate func newElementCount(since other: Self) -> Int {
        let known = Set(other.arrays.map(\.address))
        return arrays.filter { !known.contains($0.address) }.reduce(0) { $0 + $1.count }
    }

    private var arrays: [(address: UnsafeRawPointer?, count: Int)] {
        let own = [
            (entries.withUnsafeBytes { $0.baseAddress }, entries.count),
            (children.withUnsafeBytes { $0.baseAddress }, children.count),
        ]
        return own + children.flatMap(\.arrays)
    }
}
