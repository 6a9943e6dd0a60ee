import FlatCacheStore
import Foundation
import GRDBStore

/// Measures the stores in turns, and prints a table of the medians.
@main struct Measure {
    static func main() throws {
        let rounds = 5
        var times: [[String: [Duration]]] = [[:], [:]]
        var sizes = [0, 0]
        for _ in 0..<rounds {
            for (place, makeStore) in stores.enumerated() {
                let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
                defer { try? FileManager.default.removeItem(at: folder) }
                for (name, time) in try Workload(folder, makeStore).run() {
                    times[place][name, default: []].append(time)
                }
                sizes[place] = try size(of: folder)
            }
        }
        print("| | FileStore | GRDBStore | ratio |\n|---|---|---|---|")
        for name in Workload.names { printRow(name, times.map { milliseconds($0[name] ?? []) }, "ms") }
        printRow("on disk", sizes.map { Double($0) / 1_000_000 }, "MB")
    }

    private static func printRow(_ name: String, _ numbers: [Double], _ unit: String) {
        let ratio = text(numbers[1] / numbers[0])
        print("| \(name) | \(text(numbers[0])) \(unit) | \(text(numbers[1])) \(unit) | \(ratio) |")
    }

    private static let stores: [@Sendable (URL) -> any EntityStore] = [{ FileStore(at: $0) }, { GRDBStore(at: $0) }]

    private static func milliseconds(_ times: [Duration]) -> Double {
        let sorted = times.sorted()
        return sorted.isEmpty ? .nan : sorted[sorted.count / 2] / .milliseconds(1)
    }

    private static func size(of folder: URL) throws -> Int {
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: [.fileSizeKey])
        return try files.reduce(0) { try $0 + ($1.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0) }
    }

    private static func text(_ number: Double) -> String { String(format: number < 10 ? "%.2f" : "%.0f", number) }
}

/// What one store does in a new folder: 100,000 records of 440 bytes, the size of a status with 17 properties.
struct Workload {
    static let names = [
        "write 100,000 records in one batch, and flush",
        "open",
        "read all",
        "read 1,000 by their keys",
        "write 100 batches of 10 records",
        "write 100 batches of 10 records, each with a flush",
    ]

    /// The reason to trust no time.
    private struct WrongContent: Error {
        let bytes: Int
    }

    private static let count = 100_000
    private let folder: URL
    private let makeStore: (URL) -> any EntityStore
    private let group = RecordGroup(.entities, of: "Status")

    init(_ folder: URL, _ makeStore: @escaping (URL) -> any EntityStore) {
        self.folder = folder
        self.makeStore = makeStore
    }

    func run() throws -> [(name: String, time: Duration)] {
        let first = makeStore(folder)
        try first.open(.readWrite)
        let parts = stride(from: 0, to: Self.count, by: 1_000).map { part($0..<$0 + 1_000) }
        var times = [
            try time {
                try first.write(StoreBatch(parts))
                try first.flush()
            }
        ]
        first.close()
        let store = makeStore(folder)
        times.append(try time { try store.open(.readWrite) })
        times.append(try time { try readAll(store) })
        let keys = stride(from: 0, to: Self.count, by: 100).map(key).shuffled()
        times.append(try time { _ = try store.read(group, keys: keys) })
        for isFlushed in [false, true] {
            let batches = (0..<100).map { part($0 * 10..<$0 * 10 + 10) }
            times.append(
                try time {
                    for batch in batches {
                        try store.write(StoreBatch([batch]))
                        if isFlushed { try store.flush() }
                    }
                }
            )
        }
        store.close()
        return Array(zip(Self.names, times))
    }

    private func readAll(_ store: any EntityStore) throws {
        var bytes = 0
        try store.read([group]) { _, records in
            for record in records { bytes += record.value.count }
        }
        if bytes != Self.count * 440 { throw WrongContent(bytes: bytes) }
    }

    private func part(_ numbers: Range<Int>) -> StoreBatch.Part {
        let value = [UInt8](repeating: 7, count: 440)[...]
        return StoreBatch.Part(group, changes: numbers.map { RecordChange(key: key($0), value: value) })
    }

    /// An identifier as servers give them, in no order.
    private func key(_ number: Int) -> ArraySlice<UInt8> {
        Array(String(UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9_7F4A_7C15).utf8)[...]
    }

    private func time(_ body: () throws -> Void) throws -> Duration { try ContinuousClock().measure(body) }
}
