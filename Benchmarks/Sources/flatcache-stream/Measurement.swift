import AllocatedMemory
import Foundation

/// The memory and the numbers of entities of a stream.
struct Measurement {
    private let start = clock()
    private var resident = 0
    private var allocated = 0
    /// The highest number of entities after a write.
    private(set) var highestCount = 0

    /// Notes the memory at the end of the warm-up.
    mutating func noteMemory() {
        resident = Int(resident_bytes())
        allocated = Int(allocated_bytes())
    }

    mutating func note(count: Int) { highestCount = max(highestCount, count) }

    /// Prints the measurement, and returns whether all conditions are met.
    ///
    /// - Parameters:
    ///   - total: The number of streamed entities.
    ///   - measured: The number of those after the warm-up.
    ///   - countLimit: The highest number of entities that is allowed.
    ///   - growth: The number of bytes by which the memory may grow.
    ///   - conditions: More conditions, with what is wrong if they aren't met.
    func report(
        _ total: Int,
        measured: Int,
        countLimit: Int,
        growth: Int,
        _ conditions: [(isMet: Bool, failure: String)] = []
    ) -> Bool {
        let now = (resident: Int(resident_bytes()), allocated: Int(allocated_bytes()))
        let seconds = Double(clock() - start) / Double(CLOCKS_PER_SEC)
        let perEntity = Double(now.allocated - allocated) / Double(max(measured, 1))
        print("  resident memory: \(megabytes(resident)) after the warm-up, \(megabytes(now.resident)) at the end")
        let allocations = "\(megabytes(allocated)), \(megabytes(now.allocated))"
        print("  allocated: \(allocations), \(decimal(perEntity)) bytes more per entity")
        print("  entities in memory: at most \(highestCount), allowed \(countLimit)")
        print("  \(decimal(seconds)) s of the processor, \(Int(Double(total) / seconds)) entities per second of it")
        let all =
            [
                (now.resident - resident <= growth, "memory has grown by more than \(megabytes(growth))"),
                (highestCount <= countLimit, "the limit was exceeded"),
            ] + conditions
        for condition in all where !condition.isMet { print("  failed: \(condition.failure)") }
        return all.allSatisfy { $0.isMet }
    }

    private func megabytes(_ bytes: Int) -> String { "\(decimal(Double(bytes) / 1_000_000)) MB" }

    private func decimal(_ value: Double) -> String {
        value.formatted(.number.precision(.fractionLength(1)).grouping(.never))
    }
}
