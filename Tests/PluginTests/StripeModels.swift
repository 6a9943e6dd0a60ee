import FlatCache
import Foundation

/// Models of a payment service whose API sends references as identifiers, or as objects if the request asks for it.
enum Stripe {
    /// A page of a list inside a resource.
    struct List<Element: Codable & Equatable & Sendable>: Codable, Equatable, Sendable {
        let data: [Element]
        let hasMore: Bool
    }

    struct Account: Cachable, Codable, Equatable {
        let id: String
        let country: String
        let created: Date
        var email: String?
        var capabilities: [String: String]
    }

    struct Customer: Cachable, Codable, Equatable {
        let id: String
        var balance: Int
        var name: String?
        var metadata: [String: String]
        var discount: Discount?
    }

    struct Discount: Cachable, Codable, Equatable {
        let id: String
        let start: Date
        // relationship: Customer
        var customerID: Customer.ID?

        private enum CodingKeys: String, CodingKey {
            case id, start
            case customerID = "customer"
        }
    }

    struct TaxID: Cachable, Codable, Equatable {
        let id: String
        let value: String
        // relationship: Customer
        let customerID: Customer.ID
    }

    struct File: Cachable, Codable, Equatable {
        let id: String
        let filename: String
        let size: Int
        let links: List<FileLink>?
    }

    struct FileLink: Cachable, Codable, Equatable {
        let id: String
        let url: URL
        // relationship: File
        let fileID: File.ID
    }
}

// MARK: Payments

extension Stripe {
    struct BalanceTransaction: Cachable, Codable, Equatable {
        let id: String
        let amount: Int
        let net: Int
        // relationship: Charge
        var sourceID: Charge.ID?
    }

    struct Card: Cachable, Codable, Equatable {
        let id: String
        let brand: String
        let last4: String
        // relationship: Customer
        var customerID: Customer.ID?
    }

    struct Charge: Cachable, Codable, Equatable {
        let id: String
        let amount: Int
        var paid: Bool
        let created: Date
        // relationship: BalanceTransaction
        var balanceTransactionID: BalanceTransaction.ID?
        // relationship: Customer
        var customerID: Customer.ID?
        // relationship: PaymentIntent
        var paymentIntentID: PaymentIntent.ID?
        // relationship: Card
        var paymentMethodID: Card.ID?
        let refunds: List<Refund>
    }

    struct PaymentIntent: Cachable, Codable, Equatable {
        let id: String
        let amount: Int
        var status: String
        let paymentMethodTypes: Set<String>
        // relationship: Customer
        var customerID: Customer.ID?
        // relationship: Charge
        var latestChargeID: Charge.ID?
    }

    struct CheckoutSession: Cachable, Codable, Equatable {
        let id: String
        let mode: String
        let url: URL?
        // relationship: PaymentIntent
        var paymentIntentID: PaymentIntent.ID?
    }

    struct Refund: Cachable, Codable, Equatable {
        let id: String
        let amount: Int
        // relationship: Charge
        let chargeID: Charge.ID
    }

    struct Dispute: Cachable, Codable, Equatable {
        let id: String
        let reason: String
        // relationship: Charge
        let chargeID: Charge.ID
        // relationship: BalanceTransaction
        var balanceTransactionIDs: [BalanceTransaction.ID]
    }

    struct Review: Cachable, Codable, Equatable {
        let id: String
        var open: Bool
        // relationship: Charge
        var chargeID: Charge.ID?
    }

    struct SetupIntent: Cachable, Codable, Equatable {
        let id: String
        var status: String
    }

    struct SetupAttempt: Cachable, Codable, Equatable {
        let id: String
        var status: String
        // relationship: SetupIntent
        let setupIntentID: SetupIntent.ID
        // relationship: Card
        let paymentMethodID: Card.ID
    }
}

// MARK: Transfers

extension Stripe {
    struct ApplicationFee: Cachable, Codable, Equatable {
        let id: String
        let amount: Int
        // relationship: Account
        let accountID: Account.ID
        // relationship: BalanceTransaction
        var balanceTransactionID: BalanceTransaction.ID?
        // relationship: Charge
        let chargeID: Charge.ID
    }

    struct FeeRefund: Cachable, Codable, Equatable {
        let id: String
        let amount: Int
        // relationship: ApplicationFee
        let feeID: ApplicationFee.ID
    }

    struct Payout: Cachable, Codable, Equatable {
        let id: String
        let arrivalDate: Date
        // relationship: BalanceTransaction
        var balanceTransactionID: BalanceTransaction.ID?
    }

    struct Transfer: Cachable, Codable, Equatable {
        let id: String
        let amount: Int
        // relationship: BalanceTransaction
        var balanceTransactionID: BalanceTransaction.ID?
        // relationship: Account
        var destinationID: Account.ID?
        let reversals: List<TransferReversal>
    }

    struct TransferReversal: Cachable, Codable, Equatable {
        let id: String
        let amount: Int
        // relationship: Transfer
        let transferID: Transfer.ID
    }
}

// MARK: Billing

extension Stripe {
    struct Product: Cachable, Codable, Equatable {
        let id: String
        var name: String
        var description: String?
        // relationship: Price
        var defaultPriceID: Price.ID?
    }

    struct Price: Cachable, Codable, Equatable {
        let id: String
        let currency: String
        var unitAmount: Int?
        // relationship: Product
        let productID: Product.ID
    }

    struct Subscription: Cachable, Codable, Equatable {
        let id: String
        var status: String
        // relationship: Customer
        let customerID: Customer.ID
        // relationship: Invoice
        var latestInvoiceID: Invoice.ID?
        let items: List<SubscriptionItem>
    }

    struct SubscriptionItem: Cachable, Codable, Equatable {
        let id: String
        var quantity: Int?
        // relationship: Price
        let priceID: Price.ID
        // relationship: Subscription
        let subscriptionID: Subscription.ID
    }

    struct SubscriptionSchedule: Cachable, Codable, Equatable {
        struct Phase: Codable, Equatable {
            let endDate: Date
            let items: [Item]
        }

        /// A value that isn't an entity, with a relationship to an entity.
        struct Item: Codable, Equatable {
            let quantity: Int?
            // relationship: Price
            let priceID: Price.ID
        }

        let id: String
        var status: String
        // relationship: Customer
        let customerID: Customer.ID
        let phases: [Phase]
    }

    struct Invoice: Cachable, Codable, Equatable {
        let id: String
        let amountDue: Int
        let dueDate: Date?
        // relationship: Customer
        let customerID: Customer.ID
        let lines: List<LineItem>
    }

    struct LineItem: Cachable, Codable, Equatable {
        let id: String
        let amount: Int
        let period: [String: Date]
        // relationship: Invoice
        var invoiceID: Invoice.ID?
    }

    struct InvoiceItem: Cachable, Codable, Equatable {
        let id: String
        let amount: Int
        // relationship: Customer
        let customerID: Customer.ID
        // relationship: Invoice
        var invoiceID: Invoice.ID?
    }

    struct CreditNote: Cachable, Codable, Equatable {
        let id: String
        let number: String
        // relationship: Customer
        let customerID: Customer.ID
        // relationship: Invoice
        let invoiceID: Invoice.ID
    }
}

// MARK: Issued cards

extension Stripe {
    struct Cardholder: Cachable, Codable, Equatable {
        let id: String
        var name: String
        var email: String?
    }

    struct IssuedCard: Cachable, Codable, Equatable {
        let id: String
        let last4: String
        var status: String
        // relationship: Cardholder
        let cardholderID: Cardholder.ID
    }

    struct Authorization: Cachable, Codable, Equatable {
        let id: String
        var approved: Bool
        // relationship: IssuedCard
        let cardID: IssuedCard.ID
        // relationship: Cardholder
        var cardholderID: Cardholder.ID?
    }

    struct CardTransaction: Cachable, Codable, Equatable {
        let id: String
        let amount: Int
        // relationship: IssuedCard
        let cardID: IssuedCard.ID
        // relationship: Cardholder
        var cardholderID: Cardholder.ID?
    }

    struct Token: Cachable, Codable, Equatable {
        let id: String
        let network: String
        // relationship: IssuedCard
        let cardID: IssuedCard.ID
    }
}

// MARK: Treasury

extension Stripe {
    /// Money that comes to an account or leaves it: a transfer, a payment, a credit, a debit, or the reversal of one.
    struct Movement: Cachable, Codable, Equatable {
        let id: String
        let object: String
        let amount: Int
        // relationship: Resource
        let financialAccountID: Resource.ID
        // relationship: TreasuryTransaction
        var transactionID: TreasuryTransaction.ID?
        // relationship: Movement
        var receivedCreditID: Movement.ID?
    }

    struct TreasuryTransaction: Cachable, Codable, Equatable {
        let id: String
        let amount: Int
        // relationship: Resource
        let financialAccountID: Resource.ID
        // relationship: Movement
        var flowID: Movement.ID?
    }

    struct TransactionEntry: Cachable, Codable, Equatable {
        let id: String
        let effectiveAt: Date
        // relationship: Resource
        let financialAccountID: Resource.ID
        // relationship: Movement
        var flowID: Movement.ID?
        // relationship: TreasuryTransaction
        let transactionID: TreasuryTransaction.ID
    }
}

// MARK: Others

extension Stripe {
    /// A resource without references.
    struct Resource: Cachable, Codable, Equatable {
        let id: String
        let object: String
    }

    /// A resource without references and without an identifier, which is no entity.
    struct Part: Codable, Equatable {
        let object: String
    }

    /// A resource without an identifier that refers to a customer, and is no entity.
    struct CustomerPart: Codable, Equatable {
        let object: String
        // relationship: Customer
        let customerID: Customer.ID
    }

    /// A resource whose only reference is its customer.
    struct CustomerResource: Cachable, Codable, Equatable {
        let id: String
        let object: String
        // relationship: Customer
        let customerID: Customer.ID
    }

    /// A resource whose only reference is its account.
    struct AccountResource: Cachable, Codable, Equatable {
        let id: String
        let object: String
        // relationship: Account
        let accountID: Account.ID
    }

    struct ClimateOrder: Cachable, Codable, Equatable {
        let id: String
        let metricTons: String
        // relationship: Resource
        let productID: Resource.ID
    }

    struct Entitlement: Cachable, Codable, Equatable {
        let id: String
        let lookupKey: String
        // relationship: Resource
        let featureID: Resource.ID
    }

    struct ReportRun: Cachable, Codable, Equatable {
        let id: String
        var status: String
        // relationship: Resource
        let reportTypeID: Resource.ID
    }

    struct SourceTransaction: Cachable, Codable, Equatable {
        let id: String
        let amount: Int
        // relationship: Resource
        let sourceID: Resource.ID
    }

    struct FinancialConnection: Cachable, Codable, Equatable {
        struct Holder: Codable, Equatable {
            // relationship: Customer
            let customerID: Customer.ID
        }

        let id: String
        let object: String
        let accountHolder: Holder
    }

    struct Plan: Cachable, Codable, Equatable {
        let id: String
        let interval: String
        // relationship: Product
        let productID: Product.ID
    }

    struct Item: Cachable, Codable, Equatable {
        let id: String
        let amountTotal: Int
        // relationship: Price
        let priceID: Price.ID
    }

    struct Event: Cachable, Codable, Equatable {
        struct Content: Codable, Equatable {
            let object: Plan
        }

        let id: String
        let type: String
        let data: Content
    }
}
