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
            for other in StripeFixtures.kinds {
                #expect(other.areEqual(cache, expected), "\(kind.object) with \(other.object), \(depth) levels")
            }
        }
    }

    @Test("References of most resources can be expanded", arguments: [(1, 43), (2, 115), (3, 394)])
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
        #expect(StripeFixtures.kinds.count == 35)
        #expect(cache.count == 43)
        let refund = try #require(cache.allValues(of: Stripe.Refund.self).first)
        #expect(refund.charge(in: cache)?.balanceTransaction(in: cache)?.source(in: cache)?.id == refund.chargeID)
        let subscription = try #require(cache.allValues(of: Stripe.Subscription.self).first)
        #expect(subscription.customer(in: cache)?.discount?.id == "obj_123")
        #expect(subscription.items.data.first?.price(in: cache)?.product(in: cache)?.name == "T-shirt")
    }
}
