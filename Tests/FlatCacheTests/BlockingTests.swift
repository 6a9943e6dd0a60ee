import Foundation
import TestThreads
import Testing

/// Tests that block their threads, which must not be those that all tasks share.
@Suite("Tests that block", .mayBlock)
struct BlockingTests {
    @Test("More tests than there are processors may wait for a task")
    func manyWait() async {
        let gate = Gate("a task opens it")
        let waiting = Protected(0)
        let count = ProcessInfo.processInfo.processorCount + 1
        await withTaskGroup { group in
            for _ in 0..<count {
                group.addTask {
                    waiting.withLock { $0 += 1 }
                    gate.wait(failingAfter: 30 * 60)
                }
            }
            group.addTask {
                spin { waiting.withLock { $0 } == count }
                Task.detached { gate.open() }
            }
        }
    }

    @Test("A wait on a thread that all tasks share is an issue")
    func waitOfSharedThread() async {
        await withKnownIssue {
            await Task {
                let gate = Gate("nobody waits")
                gate.open()
                gate.wait()
            }.value
        }
    }

    @Test("Tests block their threads only with what finds that")
    func directWaits() throws {
        let tests = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .deletingLastPathComponent()
        let waits = [
            "DispatchSemaphore", "DispatchGroup", "NSCondition", ".sync {", "concurrentPerform", " Thread {",
            "Thread.detachNewThread", "Thread.sleep", "usleep", "sched_yield", "waitUntilExit", "readDataToEndOfFile",
        ]
        // They find it, too, except for a planted fault, which the thread that finds it breaks open.
        let exceptions = ["BlockingTests.swift", "SpinningBarrier.swift", "Tool.swift", "FaultyStressSubject.swift"]
        var count = 0
        for path in try FileManager.default.subpathsOfDirectory(atPath: tests.path) {
            let file = tests.appending(path: path)
            guard path.prefix(while: { $0 != "/" }).hasSuffix("Tests") || path.hasPrefix("AppleStandIns/Tests/"),
                file.pathExtension == "swift", !exceptions.contains(file.lastPathComponent)
            else { continue }
            let text = try Data(contentsOf: file)
            let found = waits.filter { text.range(of: Data($0.utf8)) != nil }
            #expect(found.isEmpty, "\(path)")
            count += 1
        }
        #expect(count > 300)
    }
}
