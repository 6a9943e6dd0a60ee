/// Writes figures as a table for people: a line for each row, with the other subjects behind the main one.
public struct Table {
    private let main: String
    private let others: [String]

    /// Creates a table.
    ///
    /// - Parameters:
    ///   - main: The subject that the table is about.
    ///   - others: The subjects that have a column for their ratios.
    public init(main: String, others: [String]) {
        self.main = main
        self.others = others
    }

    /// The line above all others.
    public var header: String {
        line(name: "", median: main, ratio: "ratio", against: "against", reference: "", others: others)
    }

    /// The lines for the figures of one row.
    public func lines(for figures: [Figure]) -> [String] {
        guard let first = figures.first(where: { $0.subject == main }) ?? figures.first else { return [] }
        let rest = figures.filter { figure in
            figure.subject != first.subject && !others.contains(figure.subject) && !isReference(figure, of: first)
        }
        let ratios = others.map { other in
            figures.first { $0.subject == other }?.ratio.map(brief) ?? ""
        }
        let title = first.subject == main ? first.name : "\(first.name) \(first.subject)"
        return [line(for: first, title, others: ratios)] + rest.map { line(for: $0, "    \($0.subject)", others: []) }
    }

    private func isReference(_ figure: Figure, of other: Figure) -> Bool {
        figure.name == other.reference?.name && figure.subject == other.reference?.subject
    }

    private func line(for figure: Figure, _ title: String, others: [String]) -> String {
        let reference = figure.reference.map { $0.name == figure.name ? $0.subject : $0.name }
        return line(
            name: title,
            median: amount(figure.median, figure.unit),
            ratio: figure.ratio.map(brief) ?? "",
            against: reference ?? "",
            reference: figure.reference.map { amount($0.median, figure.unit) } ?? "",
            others: others
        )
    }

    private func amount(_ value: Double, _ unit: Figure.Unit) -> String {
        switch unit {
        case .nanoseconds: "\(brief(value)) ns"
        case .bytes: "\(brief(value)) B"
        case .percent: "\(brief(value)) %"
        }
    }

    private func line(
        name: String,
        median: String,
        ratio: String,
        against: String,
        reference: String,
        others: [String]
    ) -> String {
        let cells =
            [padded(name, -29), padded(median, 10), padded(ratio, 6), " " + padded(against, -22), padded(reference, 9)]
            + zip(self.others, others).map { padded($1, max(6, $0.count)) }
        let text = cells.joined(separator: " ")
        return String(text.reversed().drop { $0 == " " }.reversed())
    }
}
