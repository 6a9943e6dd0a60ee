/// A table of numbers, and a name at the end of each line, which doesn't move others whatever its width.
struct TextTable {
    private let titles: [String]
    var rows: [[String]] = []

    init(_ titles: [String]) {
        self.titles = titles
    }

    var text: String {
        let lines = [titles] + rows
        let widths = titles.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        return lines.map { cells in
            let padded = zip(cells, widths).dropLast().map { cell, width in
                String(repeating: " ", count: width - cell.count) + cell
            }
            return (padded + cells.suffix(1)).joined(separator: "  ") + "\n"
        }.joined()
    }
}
