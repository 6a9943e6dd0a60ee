import FlatCache
import Foundation
import Testing

/// Each resource with its references as identifiers, and with the same references as objects.
@Suite("Recorded resources with references", .enabled(if: StripeFixtures.resources != nil))
struct StripePayloadTests {
    @Test("P1: References as objects give the same entities as identifiers", arguments: StripeFixtures.kinds)
    func expanded(kind: StripeFixtures.Kind) throws {
        let fixtures = try #require(StripeFixtures.resources)
        let resource = try #require(fixtures[kind.object])
        for depth in 1...3 {
            let expanded = StripeFixtures.expanded(resource, kind, depth, from: fixtures)
            let cache = FlatCache()
            #expect(try kind.store(expanded.resource, cache) == [])
            // The resources with their identifiers, from the innermost reference to the outermost.
            let expected = FlatCache()
            for (kind, resource) in expanded.inOrder { #expect(try kind.store(resource, expected) == []) }
            #expect(cache.count == expected.count)
            for other in StripeFixtures.models {
                #expect(other.areEqual(cache, expected), "\(kind.object) with \(other.object), \(depth) levels")
            }
        }
    }

    @Test("P1: All 176 resources are compared, and all their references expanded")
    func coverage() throws {
        let fixtures = try #require(StripeFixtures.resources)
        #expect(fixtures.count == 176)
        #expect(Set(StripeFixtures.kinds.map(\.object)) == Set(fixtures.keys))
        #expect(StripeFixtures.kinds.count == 176)
        #expect(StripeFixtures.kinds.count { !$0.isEntity } == 18)
        for kind in StripeFixtures.kinds {
            let resource = try #require(fixtures[kind.object])
            let references = StripeFixtures.references(in: resource, from: fixtures)
            let expanded = StripeFixtures.expanded(resource, kind, 1, from: fixtures).inOrder.count - 1
            #expect(expanded == references.count, "\(kind.object): \(references)")
        }
    }

    @Test("References in references are expanded", arguments: [(1, 80), (2, 174), (3, 475)])
    func expansions(depth: Int, count: Int) throws {
        let fixtures = try #require(StripeFixtures.resources)
        let counts = StripeFixtures.kinds.map { kind in
            StripeFixtures.expanded(fixtures[kind.object] ?? [:], kind, depth, from: fixtures).inOrder.count - 1
        }
        #expect(counts.reduce(0, +) == count)
    }

    @Test("P1: All resources are stored, and references lead to them")
    func all() throws {
        let fixtures = try #require(StripeFixtures.resources)
        let cache = FlatCache()
        for kind in StripeFixtures.kinds {
            #expect(try kind.store(try #require(fixtures[kind.object]), cache) == [], "\(kind.object)")
        }
        #expect(cache.count == 133)
        let refund = try #require(cache.allValues(of: Stripe.Refund.self).first)
        #expect(refund.charge(in: cache)?.balanceTransaction(in: cache)?.source(in: cache)?.id == refund.chargeID)
        let subscription = try #require(cache.allValues(of: Stripe.Subscription.self).first)
        #expect(subscription.customer(in: cache)?.discount?.id == "obj_123")
        #expect(subscription.items.data.first?.price(in: cache)?.product(in: cache)?.name == "T-shirt")
    }
}
