/// What was found out about one subject in one row.
public struct Figure: Equatable, Sendable {
    /// What a median counts.
    public enum Unit: Sendable {
        /// The time of one operation.
        case nanoseconds
        /// The memory of one entity.
        case bytes
        /// The part of operations that succeed.
        case percent
    }

    /// What a ratio compares.
    public enum Meaning: Sendable {
        /// The cost of the subject over that of the reference: below 1, the subject is better.
        case cost
        /// The throughput of the subject over that of the reference: above 1, the subject is better.
        case throughput
    }

    /// What the ratio is against.
    public struct Reference: Equatable, Sendable {
        /// The row of the reference.
        public var name: String
        /// Who it is.
        public var subject: String
        /// Its own median.
        public var median: Double

        /// Creates a reference.
        public init(name: String, subject: String, median: Double) {
            self.name = name
            self.subject = subject
            self.median = median
        }
    }

    /// The row.
    public var name: String
    /// Who was measured.
    public var subject: String
    /// The median over the rounds, for one operation or one entity.
    public var median: Double
    /// What the median counts.
    public var unit: Unit
    /// The median over the rounds of the ratio to the reference in the same round; `nil` without a reference.
    public var ratio: Double?
    /// What the ratio compares.
    public var meaning: Meaning
    /// What the ratio is against.
    public var reference: Reference?

    /// Creates a figure.
    public init(
        name: String,
        subject: String,
        median: Double,
        unit: Unit = .nanoseconds,
        ratio: Double? = nil,
        meaning: Meaning = .cost,
        reference: Reference? = nil
    ) {
        self.name = name
        self.subject = subject
        self.median = median
        self.unit = unit
        self.ratio = ratio
        self.meaning = meaning
        self.reference = reference
    }
}
