import Foundation

/// A measured cost at a number of entities.
struct PlotPoint: Equatable {
    var subject: String
    var entities: Double
    var cost: Double
}

/// The points of one operation.
struct PlotPanel {
    let operation: String
    let points: [PlotPoint]

    init(of operation: String, _ figures: [Figure]) {
        self.operation = operation
        points = figures.compactMap { figure in
            guard figure.name.hasPrefix(operation + "/"), figure.median > 0 else { return nil }
            guard let entities = Self.number(figure.name.dropFirst(operation.count + 1)) else { return nil }
            return PlotPoint(subject: figure.subject, entities: entities, cost: figure.median)
        }
    }

    /// Reads a size such as `100k`.
    private static func number(_ text: Substring) -> Double? {
        switch text.last {
        case "k": Double(text.dropLast()).map { $0 * 1_000 }
        case "M": Double(text.dropLast()).map { $0 * 1_000_000 }
        default: Double(text)
        }
    }
}

/// Where values lie between the ends of two logarithmic axes.
struct PlotScale {
    private let entities: ClosedRange<Double>
    private let costs: ClosedRange<Double>

    init?(around points: [PlotPoint]) {
        guard let entities = Self.exponents(around: points.map(\.entities), steps: 1) else { return nil }
        guard let costs = Self.exponents(around: points.map(\.cost), steps: 4) else { return nil }
        self.entities = entities
        self.costs = costs
    }

    var entityTicks: [Double] { Self.ticks([1], in: entities) }
    var costTicks: [Double] { Self.ticks([1], in: costs) }
    /// Between powers of ten, where there are lines without a text.
    var smallCostTicks: [Double] { Self.ticks([2, 3, 4, 5, 6, 7, 8, 9], in: costs) }

    func horizontal(_ value: Double) -> Double { Self.position(of: value, in: entities) }
    func vertical(_ value: Double) -> Double { Self.position(of: value, in: costs) }

    /// The powers of ten around values, in steps of a fraction of a power.
    private static func exponents(around values: [Double], steps: Double) -> ClosedRange<Double>? {
        guard let least = values.min(), let greatest = values.max(), least > 0 else { return nil }
        let lower = (log10(least) * steps).rounded(.down) / steps
        return lower...max((log10(greatest) * steps).rounded(.up) / steps, lower + 1)
    }

    private static func ticks(_ multiples: [Double], in exponents: ClosedRange<Double>) -> [Double] {
        stride(from: exponents.lowerBound.rounded(.down), through: exponents.upperBound, by: 1)
            .flatMap { exponent in multiples.map { $0 * pow(10, exponent) } }
            .filter { exponents.contains(log10($0)) }
    }

    private static func position(of value: Double, in exponents: ClosedRange<Double>) -> Double {
        (log10(value) - exponents.lowerBound) / (exponents.upperBound - exponents.lowerBound)
    }
}

/// The rectangle in which the lines of a panel are drawn.
struct PlotFrame {
    let left: Double
    let top: Double
    let width: Double
    let height: Double

    var right: Double { left + width }
    var bottom: Double { top + height }
    var middle: Double { left + width / 2 }

    var besideVerticalAxis: String {
        "translate(\(decimal(left - 48, digits: 1)) \(decimal(top + height / 2, digits: 1))) rotate(-90)"
    }

    func x(_ position: Double) -> Double { left + position * width }
    func y(_ position: Double) -> Double { bottom - position * height }
}

/// How the line of a subject looks: in colours that remain apart for people who see fewer of them.
struct PlotStyle {
    private static let colors = ["#d55e00", "#000000", "#0072b2", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"]
    private let color: String
    private let width: Double
    private let isRound: Bool

    init(of index: Int) {
        color = Self.colors[index % Self.colors.count]
        // The first subject is the one that the plot is about.
        width = index == 0 ? 3.5 : 1.5
        isRound = index.isMultiple(of: 2)
    }

    var stroke: String { "stroke=\"\(color)\" stroke-width=\"\(width)\"" }

    func marker(_ x: Double, _ y: Double) -> String {
        guard !isRound else {
            return "<circle cx=\"\(decimal(x, digits: 1))\" cy=\"\(decimal(y, digits: 1))\" r=\"4\" fill=\"\(color)\"/>"
        }
        let corner = "x=\"\(decimal(x - 3.5, digits: 1))\" y=\"\(decimal(y - 3.5, digits: 1))\""
        return "<rect \(corner) width=\"7\" height=\"7\" fill=\"\(color)\"/>"
    }
}
