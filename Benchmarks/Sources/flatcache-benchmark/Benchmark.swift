import FlatCache

/// Compares the cache with a dictionary behind a lock, in one process, round by round.
@main
enum Benchmark {
    static func main() {
        print(
            "operation        FlatCache  baseline  ratio   (nanoseconds, medians; the baseline is Mutex<[String: Post]>)"
        )
        for (name, count) in [("1k", 1_000), ("100k", 100_000)] {
            let subjects = Subjects(count: count)
            for measurement in subjects.measurements { report("\(measurement.name)/\(name)", measurement, count) }
        }
    }

    /// Measures both subjects in turn, as often as it takes for the clock's wandering not to matter.
    private static func report(_ name: String, _ measurement: Measurement, _ count: Int) {
        let repetitions = max(1, 200_000 / count)
        let rounds = 15
        var results: [(subject: Double, baseline: Double)] = []
        for round in 0..<rounds {
            func time(_ body: () -> Void) -> Double {
                let duration = ContinuousClock().measure { for _ in 0..<repetitions { body() } }
                let nanoseconds =
                    Double(duration.components.seconds) * 1e9 + Double(duration.components.attoseconds) / 1e9
                return nanoseconds / Double(repetitions * count)
            }
            // Who comes first changes, because the second finds warmer caches.
            if round.isMultiple(of: 2) {
                let subject = time(measurement.subject)
                results.append((subject, time(measurement.baseline)))
            } else {
                let baseline = time(measurement.baseline)
                results.append((time(measurement.subject), baseline))
            }
        }
        let subject = median(results.map(\.subject))
        let baseline = median(results.map(\.baseline))
        let ratio = median(results.map { $0.subject / $0.baseline })
        print(column(name, 16), column(subject, 10), column(baseline, 9), column(ratio, 6))
    }

    private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

    private static func column(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private static func column(_ value: Double, _ width: Int) -> String {
        let hundredths = Int((value * 100).rounded())
        let fraction = hundredths % 100
        return column("\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)", width)
    }
}
