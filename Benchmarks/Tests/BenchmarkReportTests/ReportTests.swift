import BenchmarkReport
import Foundation
import Testing

@Suite("What the benchmark writes")
struct ReportTests {
    private let cache = Figure(
        name: "get/1k",
        subject: "FlatCache",
        median: 72.316,
        ratio: 0.6425,
        reference: .init(name: "get/1k", subject: "Mutex", median: 119)
    )

    @Test("A figure is a JSON object on a line")
    func json() {
        #expect(
            cache.json == """
                {"name": "get/1k", "subject": "FlatCache", "median_ns": 72.32, "ratio": 0.6425, "against": "Mutex"}
                """
        )
    }

    @Test("A line of JSON says what isn't a time and what isn't a cost")
    func jsonOfOtherUnits() {
        let memory = Figure(name: "memory/60k", subject: "FlatCache", median: 180.04, unit: .bytes)
        #expect(
            memory.json == """
                {"name": "memory/60k", "subject": "FlatCache", "median_ns": null, "ratio": null, "median_bytes": 180.0}
                """
        )
        let hits = Figure(name: "limit/hit-rate/zipf", subject: "FlatCache", median: 34.567, unit: .percent)
        #expect(hits.json.hasSuffix("\"median_ns\": null, \"ratio\": null, \"median_percent\": 34.57}"))
        var readers = cache
        readers.name = "readers/2"
        readers.meaning = .throughput
        #expect(readers.json.hasSuffix("\"against\": \"get/1k Mutex\", \"ratio_means\": \"throughput_factor\"}"))
    }

    @Test(
        "Lines of JSON are read by others as they are meant",
        arguments: ["a \"b\"", "back\\slash", "line\nbreak", "ü"]
    )
    func escapes(subject: String) throws {
        let line = Figure(name: "row", subject: subject, median: 1).json
        #expect(!line.contains("\n"))
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        #expect(object?["subject"] as? String == subject)
    }

    @Test("A row of the table: the cache, what it is compared with, the ratios of the others")
    func table() {
        let figures = [
            cache,
            Figure(name: "get/1k", subject: "Mutex", median: 119, ratio: 1),
            Figure(name: "get/1k", subject: "actor", median: 190, ratio: 1.604),
            Figure(name: "get/1k", subject: "GRDB", median: 50_000, ratio: 402),
        ]
        let table = Table(main: "FlatCache", others: ["actor", "GRDB"])
        #expect(
            ([table.header] + table.lines(for: figures)).joined(separator: "\n") == """
                                               FlatCache  ratio  against                           actor   GRDB
                get/1k                           72.3 ns   0.64  Mutex                     119 ns   1.60    402
                """
        )
    }

    @Test("Subjects without a column have lines of their own")
    func tableWithOtherSubjects() {
        let alone = Figure.Reference(name: "readers/1", subject: "FlatCache", median: 150)
        let figures = [
            Figure(name: "readers/2", subject: "FlatCache", median: 100, ratio: 1.7, reference: alone),
            Figure(name: "readers/2", subject: "Mutex", median: 140, ratio: 0.7, reference: alone),
        ]
        #expect(
            Table(main: "FlatCache", others: []).lines(for: figures).joined(separator: "\n") == """
                readers/2                         100 ns   1.70  readers/1                 150 ns
                    Mutex                         140 ns   0.70  readers/1                 150 ns
                """
        )
    }
}
