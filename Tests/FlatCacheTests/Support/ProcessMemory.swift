import Foundation
import Testing

/// The memory of this process.
enum ProcessMemory {
    /// How often what takes memory for a moment is done, to see whether it leaves some; `FLATCACHE_CYCLES` sets it.
    static let cycleCount = ProcessInfo.processInfo.environment["FLATCACHE_CYCLES"].flatMap { Int($0) } ?? 200_000

    /// The least that the memory of the process grows by when the same is done again and again.
    ///
    /// A leak makes it grow each time; the allocator, which keeps some of what a peak has needed, only now and then.
    static func leastGrowth(of rounds: Int, _ body: () -> Void) throws -> Int {
        var least = Int.max
        for _ in 0..<rounds {
            let before = try inUse()
            body()
            least = min(least, try inUse() - before)
        }
        return least
    }

    /// The least that the memory of the process grows by when the same is done again and again.
    static func leastGrowth(of rounds: Int, _ body: () async -> Void) async throws -> Int {
        var least = Int.max
        for _ in 0..<rounds {
            let before = try inUse()
            await body()
            least = min(least, try inUse() - before)
        }
        return least
    }

    /// The memory of the process that is in use, in bytes.
    static func inUse() throws -> Int {
        #if os(Linux)
        let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")[1]
        return try #require(Int(pages)) * 4096
        #else
        var info = mach_task_basic_info()
        var count = mach_msg_type_number_t(MemoryLayout<mach_task_basic_info>.size / MemoryLayout<natural_t>.size)
        let result = withUnsafeMutablePointer(to: &info) { info in
            info.withMemoryRebound(to: integer_t.self, capacity: Int(count)) {
                task_info(mach_task_self_, task_flavor_t(MACH_TASK_BASIC_INFO), $0, &count)
            }
        }
        try #require(result == KERN_SUCCESS)
        return Int(info.resident_size)
        #endif
    }
}
