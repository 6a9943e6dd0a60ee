/// A picture of what operations cost with more and more entities: a panel for each operation, a line for each subject.
public struct Plot {
    private let panels: [PlotPanel]
    private let subjects: [String]
    private let scale: PlotScale

    private static let panelWidth = 400.0
    private static let height = 470.0
    private static let legendWidth = 150.0

    /// Creates a plot of the figures whose names are an operation and a size, such as `get/100k`.
    ///
    /// - Parameters:
    ///   - operations: The operations to show.
    ///   - figures: All figures; others are left out.
    /// - Returns: `nil` if there is nothing to show.
    public init?(of operations: [String], _ figures: [Figure]) {
        panels = operations.map { PlotPanel(of: $0, figures) }.filter { !$0.points.isEmpty }
        let points = panels.flatMap(\.points)
        guard let scale = PlotScale(around: points) else { return nil }
        self.scale = scale
        subjects = points.reduce(into: []) { names, point in
            if !names.contains(point.subject) { names.append(point.subject) }
        }
    }

    /// The picture as an SVG document.
    public var svg: String {
        let width = Double(panels.count) * Self.panelWidth + Self.legendWidth
        let size = "\(brief(width)) \(brief(Self.height))"
        var lines = [
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(size)\" font-family=\"sans-serif\" font-size=\"12\">",
            "<title>Cost of an operation against the number of entities</title>",
            "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>",
        ]
        for (index, panel) in panels.enumerated() {
            let frame = PlotFrame(left: Double(index) * Self.panelWidth + 70, top: 50, width: 310, height: 350)
            lines += axes(of: panel, in: frame)
            for subject in subjects { lines += line(of: subject, panel, in: frame) }
        }
        lines += legend(left: width - Self.legendWidth + 15)
        return (lines + ["</svg>", ""]).joined(separator: "\n")
    }

    private func axes(of panel: PlotPanel, in frame: PlotFrame) -> [String] {
        var lines = [
            text(panel.operation, frame.middle, frame.top - 18, "middle\" font-size=\"15\" font-weight=\"bold"),
            text("entities", frame.middle, frame.bottom + 42, "middle"),
            text("nanoseconds for one operation", 0, 0, "middle", transform: frame.besideVerticalAxis),
        ]
        for tick in scale.entityTicks {
            let x = frame.x(scale.horizontal(tick))
            lines += [rule(x, frame.top, x, frame.bottom), text(compact(tick), x, frame.bottom + 20, "middle")]
        }
        for tick in scale.smallCostTicks {
            let y = frame.y(scale.vertical(tick))
            lines.append(rule(frame.left, y, frame.right, y, "#f2f2f2"))
        }
        for tick in scale.costTicks {
            let y = frame.y(scale.vertical(tick))
            lines += [rule(frame.left, y, frame.right, y), text(grouped(tick), frame.left - 8, y + 4, "end")]
        }
        return lines
    }

    private func line(of subject: String, _ panel: PlotPanel, in frame: PlotFrame) -> [String] {
        let points = panel.points.filter { $0.subject == subject }.sorted { $0.entities < $1.entities }
            .map { (x: frame.x(scale.horizontal($0.entities)), y: frame.y(scale.vertical($0.cost))) }
        let style = PlotStyle(of: subjects.firstIndex(of: subject) ?? 0)
        let path = points.map { "\(decimal($0.x, digits: 1)),\(decimal($0.y, digits: 1))" }.joined(separator: " ")
        return ["<polyline points=\"\(path)\" fill=\"none\" \(style.stroke)/>"]
            + points.map { style.marker($0.x, $0.y) }
    }

    private func legend(left: Double) -> [String] {
        subjects.enumerated().flatMap { index, subject in
            let y = 70 + Double(index) * 24
            let style = PlotStyle(of: index)
            return [
                "<path d=\"M\(decimal(left, digits: 1)) \(decimal(y, digits: 1))h26\" \(style.stroke)/>",
                style.marker(left + 13, y),
                text(subject, left + 34, y + 4, "start"),
            ]
        }
    }

    private func rule(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ color: String = "#cccccc") -> String {
        let points = [x1, y1, x2, y2].map { decimal($0, digits: 1) }
        return "<path d=\"M\(points[0]) \(points[1])L\(points[2]) \(points[3])\" stroke=\"\(color)\"/>"
    }

    private func text(
        _ text: String,
        _ x: Double,
        _ y: Double,
        _ anchor: String,
        transform: String? = nil
    ) -> String {
        let position = "x=\"\(decimal(x, digits: 1))\" y=\"\(decimal(y, digits: 1))\""
        let place = transform.map { "transform=\"\($0)\"" } ?? position
        let escaped = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
        return "<text \(place) text-anchor=\"\(anchor)\" fill=\"#222222\">\(escaped)</text>"
    }

    private func compact(_ value: Double) -> String {
        switch value {
        case 1_000_000...: "\(Int(value / 1_000_000))M"
        case 1_000...: "\(Int(value / 1_000))k"
        default: "\(Int(value))"
        }
    }

    private func grouped(_ value: Double) -> String {
        value < 1 ? "\(value)" : compact(value)
    }
}
