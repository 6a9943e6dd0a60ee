/// What a figure should be.
public struct Goal: Sendable {
    /// Where a figure is good.
    public enum Limit: Sendable {
        case atMost(Double)
        case atLeast(Double)
    }

    /// What of the figures is meant.
    public enum Measure: Sendable {
        /// The ratio of the subject.
        case ratio
        /// The median of the subject.
        case median
        /// The median of the subject less that of its reference.
        case addition
        /// How many times the subject's cost another one has.
        case timesFaster(than: String)
        /// The subject's cost over that of another one.
        case over(String)
        /// The ratio of another subject of the row.
        case ratioOf(String)
    }

    private let row: String
    private let measure: Measure
    private let limit: Limit

    /// Creates a goal.
    public init(_ row: String, _ limit: Limit, of measure: Measure = .ratio) {
        self.row = row
        self.measure = measure
        self.limit = limit
    }

    /// The line above those of the goals.
    public static let header = line("Goals", "reached", "goal", "")

    /// Says whether a subject has reached the goal; `nil` if what it takes was not measured.
    public func line(for subject: String, _ figures: [Figure]) -> String? {
        guard let reached = value(of: subject, figures) else { return nil }
        let unit = unit(of: subject, figures)
        return Self.line(title, brief(reached) + unit, text(of: limit, unit), isGood(reached) ? "" : "  missed")
    }

    private func value(of subject: String, _ figures: [Figure]) -> Double? {
        guard let own = figure(of: subject, figures) else { return nil }
        switch measure {
        case .ratio: return own.ratio
        case .median: return own.median
        case .addition: return own.reference.map { own.median - $0.median }
        case .timesFaster(let other):
            guard let ownRatio = own.ratio, let otherRatio = ratio(of: other, figures) else { return nil }
            return otherRatio / ownRatio
        case .over(let other):
            guard let ownRatio = own.ratio, let otherRatio = ratio(of: other, figures) else { return nil }
            return ownRatio / otherRatio
        case .ratioOf(let other): return ratio(of: other, figures)
        }
    }

    private func figure(of subject: String, _ figures: [Figure]) -> Figure? {
        figures.first { $0.name == row && $0.subject == subject }
    }

    private func ratio(of subject: String, _ figures: [Figure]) -> Double? { figure(of: subject, figures)?.ratio }

    private func isGood(_ value: Double) -> Bool {
        switch limit {
        case .atMost(let limit): value <= limit
        case .atLeast(let limit): value >= limit
        }
    }

    private var title: String {
        switch measure {
        case .ratio, .median: row
        case .addition: "\(row), more"
        case .timesFaster(let other): "\(row), times faster than \(other)"
        case .over(let other): "\(row) over \(other)"
        case .ratioOf(let subject): "\(row): \(subject)"
        }
    }

    private func unit(of subject: String, _ figures: [Figure]) -> String {
        switch (measure, figure(of: subject, figures)?.unit) {
        case (.median, .bytes), (.addition, .bytes): " B"
        case (.median, .nanoseconds), (.addition, .nanoseconds): " ns"
        case (.median, .percent), (.addition, .percent): " %"
        default: ""
        }
    }

    private func text(of limit: Limit, _ unit: String) -> String {
        switch limit {
        case .atMost(let limit): "at most \(brief(limit))\(unit)"
        case .atLeast(let limit): "at least \(brief(limit))\(unit)"
        }
    }

    private static func line(_ title: String, _ reached: String, _ goal: String, _ verdict: String) -> String {
        "\(padded(title, -44)) \(padded(reached, 8))  \(goal)\(verdict)"
    }
}
