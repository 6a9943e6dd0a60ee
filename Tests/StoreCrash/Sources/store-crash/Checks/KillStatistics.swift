import FlatCacheStore

/// What the kills have met.
struct KillStatistics: CustomStringConvertible {
    private var kills = 0
    private var steps = 0
    private var writing = Duration.zero
    private var running: [Operation: Int] = [:]
    private var idle = 0
    private var cuts = 0

    mutating func add(_ running: Set<Operation>, _ time: Duration) {
        kills += 1
        writing += time
        for operation in running { self.running[operation, default: 0] += 1 }
        if running.isEmpty { idle += 1 }
    }

    mutating func add(steps: Int, _ report: FileStore.OpeningReport?) {
        self.steps += steps
        if report?.cuts.isEmpty == false { cuts += 1 }
    }

    var description: String {
        let operations = Operation.allCases.map { "\(running[$0, default: 0]) in \($0)" }.joined(separator: ", ")
        let seconds = Double(writing.components.seconds) + Double(writing.components.attoseconds) / 1e18
        return """
            \(kills) kills (\(operations), \(idle) in none), \(cuts) torn tails, \(steps) commits survived, \
            \(Int(Double(steps) / max(seconds, 0.001))) a second
            """
    }
}
