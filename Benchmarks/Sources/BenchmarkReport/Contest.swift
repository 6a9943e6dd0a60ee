/// One subject of one row, and how to measure it.
public struct Contestant {
    /// Who a contestant is compared with: another one of the same contest.
    public struct Identity: Hashable, Sendable {
        /// The row.
        public var row: String
        /// The subject.
        public var subject: String

        /// Creates an identity.
        public init(_ row: String, _ subject: String) {
            self.row = row
            self.subject = subject
        }
    }

    let identity: Identity
    let reference: Identity?
    let meaning: Figure.Meaning
    let unit: Figure.Unit
    let measure: () -> Double

    /// Creates a contestant.
    ///
    /// - Parameters:
    ///   - row: The row that it gives a figure for.
    ///   - subject: Who it is.
    ///   - reference: What it is compared with. One that is compared with itself has the ratio 1.
    ///   - meaning: What the ratio compares.
    ///   - unit: What `measure` counts.
    ///   - measure: Returns what one operation took, or what one entity needs.
    public init(
        _ row: String,
        _ subject: String,
        against reference: Identity?,
        meaning: Figure.Meaning = .cost,
        unit: Figure.Unit = .nanoseconds,
        measure: @escaping () -> Double
    ) {
        identity = Identity(row, subject)
        self.reference = reference
        self.meaning = meaning
        self.unit = unit
        self.measure = measure
    }
}

/// Contestants that are measured in turns, each once a round.
public struct Contest {
    private let contestants: [Contestant]

    /// Creates a contest.
    ///
    /// - Parameters:
    ///   - contestants: All who could be measured.
    ///   - isWanted: Whether a row is to be measured. What the wanted ones are compared with is measured as well.
    public init(_ contestants: [Contestant], isWanted: (String) -> Bool) {
        let wanted = contestants.filter { isWanted($0.identity.row) }
        let references = Set(wanted.compactMap(\.reference))
        self.contestants = contestants.filter { isWanted($0.identity.row) || references.contains($0.identity) }
    }

    /// Measures everybody, and returns the figures in the order of the contestants.
    public func figures(rounds: Int) -> [Figure] {
        var samples = [[Double]](repeating: [], count: contestants.count)
        for round in 0..<rounds {
            // Who comes first changes, and who comes before whom: that decides the state of processor and memory.
            for turn in contestants.indices {
                let place = (turn + round) % contestants.count
                let index = round.isMultiple(of: 2) ? place : contestants.count - 1 - place
                samples[index].append(contestants[index].measure())
            }
        }
        return contestants.indices.map { figure(of: contestants[$0], samples[$0], among: samples) }
    }

    private func figure(of contestant: Contestant, _ own: [Double], among samples: [[Double]]) -> Figure {
        var figure = Figure(
            name: contestant.identity.row,
            subject: contestant.identity.subject,
            median: median(of: own),
            unit: contestant.unit,
            meaning: contestant.meaning
        )
        guard let index = contestants.firstIndex(where: { $0.identity == contestant.reference }) else { return figure }
        let identity = contestants[index].identity
        figure.reference = Figure.Reference(
            name: identity.row,
            subject: identity.subject,
            median: median(of: samples[index])
        )
        let ratio = median(
            of: zip(own, samples[index]).map { own, other in
                contestant.meaning == .cost ? own / other : other / own
            }
        )
        figure.ratio = ratio.isFinite ? ratio : nil
        return figure
    }
}

/// Returns the value in the middle, or the mean of the two there; 0 for none.
public func median(of values: [Double]) -> Double {
    guard !values.isEmpty else { return 0 }
    let sorted = values.sorted()
    return (sorted[sorted.count / 2] + sorted[(sorted.count - 1) / 2]) / 2
}
