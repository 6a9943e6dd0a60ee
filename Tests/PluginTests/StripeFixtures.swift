import FlatCache
import Foundation
import Testing

/// The recorded resources beside the repository.
enum StripeFixtures {
    /// The resources by the name of their type, or `nil` where they aren't available.
    static var resources: [String: [String: Any]]? {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let shared =
            ProcessInfo.processInfo.environment["FLATCACHE_SHARED"].map { URL(filePath: $0) }
            ?? root.deletingLastPathComponent().appending(path: "shared")
        guard let data = try? Data(contentsOf: shared.appending(path: "data/stripe/fixtures3.json")),
            let document = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
        else { return nil }
        return document["resources"] as? [String: [String: Any]]
    }

    /// A type of resources.
    struct Kind: Sendable, CustomTestStringConvertible {
        let object: String
        /// The members that are references, and the types that they refer to.
        let references: [String: String]
        /// Stores a resource, and returns its problems.
        let store: @Sendable ([String: Any], FlatCache) throws -> [String]
        /// Whether two caches have the same entities of the type.
        let areEqual: @Sendable (FlatCache, FlatCache) -> Bool

        var testDescription: String { object }

        init<Entity: Cachable & Codable & Equatable>(
            _ object: String,
            _ type: Entity.Type,
            _ references: [String: String] = [:]
        ) {
            self.object = object
            self.references = references
            store = { resource, cache in
                let decoder = JSONDecoder()
                decoder.keyDecodingStrategy = .convertFromSnakeCase
                decoder.dateDecodingStrategy = .secondsSince1970
                let data = try JSONSerialization.data(withJSONObject: resource)
                return cache.store(try decoder.decode(Payload<Entity>.self, from: data)).problems.map(\.description)
            }
            areEqual = { lhs, rhs in
                let values = [lhs, rhs].map { cache in
                    Dictionary(cache.allValues(of: type).map { ($0.id, $0) }) { $1 }
                }
                return values[0] == values[1]
            }
        }
    }

    /// A resource with its references as objects, down to some depth.
    ///
    /// - Returns: The resource, and the resources in the order in which they are read, with references as identifiers.
    static func expanded(
        _ resource: [String: Any],
        _ kind: Kind,
        _ depth: Int,
        from resources: [String: [String: Any]]
    ) -> (resource: [String: Any], inOrder: [(Kind, [String: Any])]) {
        var expansion = Expansion(resources: resources)
        let expanded = expansion.expanded(resource, kind.references, depth) as? [String: Any]
        return (expanded ?? resource, expansion.order + [(kind, resource)])
    }

    private struct Expansion {
        let resources: [String: [String: Any]]
        var order: [(Kind, [String: Any])] = []

        mutating func expanded(_ value: Any, _ references: [String: String], _ depth: Int) -> Any {
            if let elements = value as? [Any] { return elements.map { expanded($0, references, depth) } }
            guard var members = value as? [String: Any] else { return value }
            // A nested resource has references of its own, and another object has those of the resource around it.
            let nested = (members["object"] as? String).flatMap { object in kinds.first { $0.object == object } }
            let references = nested?.references ?? references
            for (name, member) in members.sorted(by: { $0.key < $1.key }) {
                if depth > 0, let object = references[name], let kind = kinds.first(where: { $0.object == object }),
                    let resource = resources[object], resource["id"] as? String == member as? String
                {
                    members[name] = expanded(resource, kind.references, depth - 1)
                    order.append((kind, resource))
                } else {
                    members[name] = expanded(member, references, depth)
                }
            }
            return members
        }
    }
}

extension StripeFixtures {
    static let kinds = [
        Kind("account", Stripe.Account.self),
        Kind(
            "application_fee",
            Stripe.ApplicationFee.self,
            ["account": "account", "charge": "charge"].merging(balance) { $1 }
        ),
        Kind("balance_transaction", Stripe.BalanceTransaction.self, ["source": "charge"]),
        Kind("card", Stripe.Card.self, customer),
        Kind("charge", Stripe.Charge.self, ["payment_method": "card"].merging(balance) { $1 }),
        Kind("checkout.session", Stripe.CheckoutSession.self, ["payment_intent": "payment_intent"]),
        Kind("credit_note", Stripe.CreditNote.self, customer),
        Kind("customer", Stripe.Customer.self),
        Kind("discount", Stripe.Discount.self, customer),
        Kind("dispute", Stripe.Dispute.self, ["charge": "charge"]),
        Kind("fee_refund", Stripe.FeeRefund.self, ["fee": "application_fee"]),
        Kind("file", Stripe.File.self),
        Kind("file_link", Stripe.FileLink.self, ["file": "file"]),
        Kind("invoice", Stripe.Invoice.self, customer),
        Kind("invoiceitem", Stripe.InvoiceItem.self, customer),
        Kind("issuing.authorization", Stripe.Authorization.self),
        Kind("issuing.card", Stripe.IssuedCard.self),
        Kind("issuing.cardholder", Stripe.Cardholder.self),
        Kind("issuing.token", Stripe.Token.self, ["card": "issuing.card"]),
        Kind(
            "issuing.transaction",
            Stripe.CardTransaction.self,
            ["card": "issuing.card", "cardholder": "issuing.cardholder"]
        ),
        Kind("line_item", Stripe.LineItem.self, ["invoice": "invoice"]),
        Kind("payment_intent", Stripe.PaymentIntent.self, customer),
        Kind("payout", Stripe.Payout.self, balance),
        Kind("price", Stripe.Price.self, ["product": "product"]),
        Kind("product", Stripe.Product.self, ["default_price": "price"]),
        Kind("refund", Stripe.Refund.self, ["charge": "charge"]),
        Kind("review", Stripe.Review.self, ["charge": "charge"]),
        Kind("setup_attempt", Stripe.SetupAttempt.self, ["payment_method": "card", "setup_intent": "setup_intent"]),
        Kind("setup_intent", Stripe.SetupIntent.self),
        Kind("subscription", Stripe.Subscription.self, customer),
        Kind("subscription_item", Stripe.SubscriptionItem.self, ["price": "price", "subscription": "subscription"]),
        Kind("subscription_schedule", Stripe.SubscriptionSchedule.self, ["customer": "customer", "price": "price"]),
        Kind("tax_id", Stripe.TaxID.self, customer),
        Kind("transfer", Stripe.Transfer.self, ["destination": "account"].merging(balance) { $1 }),
        Kind("transfer_reversal", Stripe.TransferReversal.self, ["transfer": "transfer"]),
    ]

    private static let customer = ["customer": "customer"]
    private static let balance = ["balance_transaction": "balance_transaction"]
}
