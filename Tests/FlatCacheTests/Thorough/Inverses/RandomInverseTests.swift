import SeededRandom
import Testing

@testable import FlatCache

/// Random changes of both sides, compared with a set of links after each.
///
/// `FLATCACHE_INVERSES=10000` tries more.
@Suite("Random inverses")
struct RandomInverseTests {
    /// A link of two numbers, of which the first has the relationship and the second the inverse.
    private struct Link: Hashable {
        var owner, related: Int
    }

    @Test(
        "Setters keep both sides as a set of links, whatever the given entities hold",
        arguments: InversePair.all,
        Seeds.first(5, full: 20, orAsIn: "FLATCACHE_INVERSES")
    )
    func sequences(of pair: InversePair, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let cache = FlatCache()
        let numbers = 0..<6
        for number in numbers where random.below(3) > 0 {
            pair.forward.store(cache, number)
            pair.back.store(cache, number)
        }
        var links: Set<Link> = []
        for step in 0..<60 {
            let isForward = pair.isSymmetric || random.below(2) == 0
            let side = isForward ? pair.forward : pair.back
            let other = isForward ? pair.back : pair.forward
            let owner = random.below(numbers.count)
            let ids = Array(numbers.shuffled(using: &random).prefix(random.below(side.holdsOne ? 2 : 4)))
            var changed: [Int: [Int]] = [:]
            for id in ids where other.key(id) != side.key(owner) && random.below(3) == 0 {
                // A given copy of a collection lacks some. One optional is replaced, so it can be anything.
                changed[id] =
                    other.holdsOne
                    ? [random.below(numbers.count)] : other.ids(cache, id).filter { _ in random.below(2) == 0 }
            }
            do {
                try side.set(cache, owner, ids, changed, random.below(2) == 0)
            } catch RelationshipError.ownerMissing(side.key(owner)) {
                side.store(cache, owner)
                continue
            }
            Self.set(&links, isForward, pair, owner, ids, changed)
            let context = "seed \(seed), step \(step): \(side.property) of \(owner) to \(ids), given \(changed)"
            for number in numbers {
                let related = links.filter { $0.owner == number }.map(\.related)
                let owners = links.filter { $0.related == number }.map(\.owner)
                try #require(pair.forward.ids(cache, number).sorted() == related.sorted(), "\(context), at \(number)")
                try #require(pair.back.ids(cache, number).sorted() == owners.sorted(), "\(context), back at \(number)")
            }
            try #require(cache.inconsistencies() == [], "\(context)")
        }
    }

    /// Sets the links of one entity.
    private static func set(
        _ links: inout Set<Link>,
        _ isForward: Bool,
        _ pair: InversePair,
        _ owner: Int,
        _ ids: [Int],
        _ changed: [Int: [Int]]
    ) {
        let sides = [(pair.forward, \Link.owner, \Link.related), (pair.back, \Link.related, \Link.owner)]
        let (_, near, far) = sides[isForward ? 0 : 1]
        let other = isForward ? pair.back : pair.forward
        for link in links {
            let isOwn = link[keyPath: near] == owner || pair.isSymmetric && link[keyPath: far] == owner
            let isReplaced = ids.contains { id in
                guard link[keyPath: far] == id || pair.isSymmetric && link[keyPath: near] == id else { return false }
                let partner = link[keyPath: far] == id ? link[keyPath: near] : link[keyPath: far]
                return other.holdsOne || changed[id].map { !$0.contains(partner) } ?? false
            }
            if isOwn || isReplaced { links.remove(link) }
        }
        for id in ids {
            links.insert(isForward ? Link(owner: owner, related: id) : Link(owner: id, related: owner))
            if pair.isSymmetric { links.insert(Link(owner: id, related: owner)) }
        }
    }
}
