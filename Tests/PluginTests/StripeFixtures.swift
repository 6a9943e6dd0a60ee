import FlatCache
import Foundation
import Testing

/// The recorded resources beside the repository.
enum StripeFixtures {
    /// The resources by the name of their type, or `nil` where they aren't available.
    ///
    /// Tests only read them.
    nonisolated(unsafe) static let resources: [String: [String: Any]]? = {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let shared =
            ProcessInfo.processInfo.environment["FLATCACHE_SHARED"].map { URL(filePath: $0) }
            ?? root.deletingLastPathComponent().appending(path: "shared")
        guard let data = try? Data(contentsOf: shared.appending(path: "data/stripe/fixtures3.json")),
            let document = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
        else { return nil }
        return document["resources"] as? [String: [String: Any]]
    }()

    /// A type of resources.
    struct Kind: Sendable, CustomTestStringConvertible {
        let object: String
        /// The model, which several types of resources can have.
        let model: ObjectIdentifier
        /// Whether resources are entities: whether they have an identifier.
        let isEntity: Bool
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
            model = ObjectIdentifier(type)
            isEntity = true
            store = { resource, cache in
                cache.store(try Self.decode(Payload<Entity>.self, resource)).problems.map(\.description)
            }
            areEqual = { lhs, rhs in
                let values = [lhs, rhs].map { cache in
                    Dictionary(cache.allValues(of: type).map { ($0.id, $0) }) { $1 }
                }
                return values[0] == values[1]
            }
        }

        /// Creates a type of resources that have no identifier.
        init<Part: Decodable & Sendable>(_ object: String, part: Part.Type, _ references: [String: String] = [:]) {
            self.object = object
            self.references = references
            model = ObjectIdentifier(part)
            isEntity = false
            store = { resource, cache in
                let stored = cache.store(try Self.decode(Payload<Part>.self, resource))
                return stored.problems.map(\.description) + (stored.value == nil ? ["no value"] : [])
            }
            areEqual = { _, _ in true }
        }

        private static func decode<Root: Decodable>(_ root: Root.Type, _ resource: [String: Any]) throws -> Root {
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            decoder.dateDecodingStrategy = .secondsSince1970
            return try decoder.decode(root, from: JSONSerialization.data(withJSONObject: resource))
        }
    }

    /// The paths of the members of a resource whose values are identifiers of resources.
    static func references(in resource: [String: Any], from resources: [String: [String: Any]]) -> [String] {
        // The identifier of a country is its code, which addresses have, too.
        let ids = resources.filter { $0.key != "country_spec" }.compactMap { $0.value["id"] as? String }
        return references(in: resource, to: Set(ids).subtracting([""]), at: [])
    }

    private static func references(in value: Any, to ids: Set<String>, at path: [String]) -> [String] {
        if let elements = value as? [Any] { return elements.flatMap { references(in: $0, to: ids, at: path) } }
        if let members = value as? [String: Any] {
            return members.flatMap { references(in: $0.value, to: ids, at: path + [$0.key]) }
        }
        // A file's name is made of its identifier.
        guard let id = value as? String, ids.contains(id), !["id", "filename"].contains(path.last) else { return [] }
        return [path.joined(separator: ".")]
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
            let nested = (members["object"] as? String).flatMap { object in kindsByObject[object] }
            let references = nested?.references ?? references
            for (name, member) in members.sorted(by: { $0.key < $1.key }) {
                if depth > 0, let object = references[name], let kind = kindsByObject[object],
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
    /// The types of all resources.
    static let kinds: [Kind] = {
        let named = Set(kindsWithModels.map(\.object))
        let others = (resources ?? [:]).filter { !named.contains($0.key) }.sorted { $0.key < $1.key }
        return kindsWithModels
            + others.map { object, resource in
                resource["id"] is String ? Kind(object, Stripe.Resource.self) : Kind(object, part: Stripe.Part.self)
            }
    }()

    private static let kindsByObject = Dictionary(kinds.map { ($0.object, $0) }) { first, _ in first }

    /// One type of resources for each model.
    static let models = Dictionary(kinds.map { ($0.model, $0) }) { first, _ in first }.map(\.value)

    /// The types of the resources with references, and of some others.
    static let kindsWithModels = [
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

        Kind("billing_portal.session", Stripe.CustomerResource.self, customer),
        Kind("capability", Stripe.AccountResource.self, account),
        Kind("cash_balance", part: Stripe.CustomerPart.self, customer),
        Kind("climate.order", Stripe.ClimateOrder.self, ["product": "climate.product"]),
        Kind("customer_balance_transaction", Stripe.CustomerResource.self, customer),
        Kind("customer_cash_balance_transaction", Stripe.CustomerResource.self, customer),
        Kind("customer_session", part: Stripe.CustomerPart.self, customer),
        Kind("entitlements.active_entitlement", Stripe.Entitlement.self, ["feature": "entitlements.feature"]),
        Kind("event", Stripe.Event.self),
        Kind("financial_connections.account", Stripe.FinancialConnection.self, customer),
        Kind("financial_connections.session", Stripe.FinancialConnection.self, customer),
        Kind("item", Stripe.Item.self),
        Kind("person", Stripe.AccountResource.self, account),
        Kind("plan", Stripe.Plan.self, ["product": "product"]),
        Kind("quote", Stripe.CustomerResource.self, customer),
        Kind("reporting.report_run", Stripe.ReportRun.self, ["report_type": "reporting.report_type"]),
        Kind("source_transaction", Stripe.SourceTransaction.self, ["source": "source"]),

        Kind("treasury.credit_reversal", Stripe.Movement.self, treasury),
        Kind("treasury.debit_reversal", Stripe.Movement.self, treasury),
        Kind("treasury.inbound_transfer", Stripe.Movement.self, treasury),
        Kind("treasury.outbound_payment", Stripe.Movement.self, treasury),
        Kind("treasury.outbound_transfer", Stripe.Movement.self, treasury),
        Kind("treasury.received_credit", Stripe.Movement.self, treasury),
        Kind("treasury.received_debit", Stripe.Movement.self, treasury),
        Kind("treasury.transaction", Stripe.TreasuryTransaction.self, treasury),
        Kind("treasury.transaction_entry", Stripe.TransactionEntry.self, treasury),
    ]

    private static let account = ["account": "account"]
    private static let treasury = [
        "financial_account": "treasury.financial_account", "flow": "treasury.outbound_transfer",
        "received_credit": "treasury.received_credit", "transaction": "treasury.transaction",
    ]

    private static let customer = ["customer": "customer"]
    private static let balance = ["balance_transaction": "balance_transaction"]
}
