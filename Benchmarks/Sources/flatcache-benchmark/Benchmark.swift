import AllocatedMemory
import BenchmarkReport
import Foundation

/// The program: reads the arguments, lets the subjects race, prints what came out.
@main
enum Benchmark {
    static func main() {
        do {
            let arguments = try Arguments(CommandLine.arguments.dropFirst())
            try arguments.wantsHelp ? write(Arguments.help) : run(arguments)
        } catch let error as UsageError {
            fail("\(error)\nTry --help.", status: EX_USAGE)
        } catch {
            fail("The plot can't be written: \(error.localizedDescription)", status: EX_CANTCREAT)
        }
    }

    private static func run(_ arguments: Arguments) throws {
        try check(arguments)
        keep_freed_memory()
        let table = Table(main: FlatCacheStore.name, others: allStores.dropFirst(2).map { $0.name })
        if !arguments.printsJSON { write(table.header) }
        var figures: [Figure] = []
        for stage in stages {
            for race in stage() where race.rows.contains(where: arguments.wants) {
                let results = results(of: race, arguments)
                figures += results
                for row in race.rows {
                    let ofRow = results.filter { $0.name == row }
                    for line in arguments.printsJSON ? ofRow.map(\.json) : table.lines(for: ofRow) { write(line) }
                }
            }
        }
        if !arguments.printsJSON { writeGoals(figures) }
        if let path = arguments.plot { try writePlot(of: figures, to: path) }
    }

    private static func writeGoals(_ figures: [Figure]) {
        let lines = goals.compactMap { $0.line(for: FlatCacheStore.name, figures) }
        if !lines.isEmpty { (["", Goal.header] + lines).forEach(write) }
    }

    private static func results(of race: Race, _ arguments: Arguments) -> [Figure] {
        let rounds = min(arguments.rounds, max(3, arguments.rounds / race.slowness))
        return Contest(race.contestants(), isWanted: arguments.wants).figures(rounds: rounds)
            .filter { arguments.wants($0.name) }
    }

    /// Finds what can't work before minutes are spent on measuring.
    private static func check(_ arguments: Arguments) throws(UsageError) {
        let rows = stages.flatMap { $0().flatMap(\.rows) }
        for filter in arguments.filters where !rows.contains(where: { $0.contains(filter) }) {
            throw UsageError("No row's name contains '\(filter)'. The rows: \(rows.joined(separator: ", ")).")
        }
        guard let plot = arguments.plot else { return }
        let isPlotted = rows.contains { row in
            arguments.wants(row) && plottedOperations.contains { row.hasPrefix("\($0)/") }
        }
        if !isPlotted { throw UsageError("The plot shows get, overwrite and query/live, which the filters leave out.") }
        let folder = URL(filePath: plot).deletingLastPathComponent().path
        if !FileManager.default.isWritableFile(atPath: folder) {
            throw UsageError("--plot can't write to '\(plot)': no such folder, or not allowed.")
        }
    }

    private static let plottedOperations = ["get", "overwrite", "query/live"]

    private static func writePlot(of figures: [Figure], to path: String) throws {
        guard let plot = Plot(of: plottedOperations, figures) else { return }
        try Data(plot.svg.utf8).write(to: URL(filePath: path))
    }

    /// Prints a line at once, also into a pipe.
    private static func write(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }

    private static func fail(_ message: String, status: Int32) -> Never {
        FileHandle.standardError.write(Data("flatcache-benchmark: \(message)\n".utf8))
        exit(status)
    }
}
