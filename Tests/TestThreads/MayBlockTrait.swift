import Foundation
package import Testing

/// Runs tests on threads that they may block, as many tests at once as there are processors.
///
/// What a test starts with `Task { … }` isn't its child, and must not block.
package struct MayBlockTrait: SuiteTrait, TestTrait, TestScoping {
    private static let places = Places(ProcessInfo.processInfo.activeProcessorCount)

    package var isRecursive: Bool { true }

    package func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        await Self.places.take()
        defer { Self.places.giveBack() }
        try await onOwnThreads { try await function() }
    }
}

extension Trait where Self == MayBlockTrait {
    /// Allows a test to block its thread, which ``willBlock(_:_:)`` checks.
    package static var mayBlock: Self { Self() }
}

/// Fails the test if the calling thread is one of those that all tasks share.
///
/// Everything in the tests that blocks its thread calls this first.
package func willBlock(_ file: StaticString = #fileID, _ line: Int = #line) {
    if withUnsafeCurrentTask(body: { $0 == nil }) || OwnThreads.runTask { return }
    Issue.record("\(file):\(line) blocks a thread that other tasks need; the suite needs the trait 'mayBlock'")
}

/// A number of places, which tasks take one after the other.
private final class Places: @unchecked Sendable {  // Guarded by the lock.
    private let lock = NSLock()
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) {
        free = count
    }

    func take() async {
        await withCheckedContinuation { continuation in
            let hasPlace = lock.withLock {
                if free == 0 {
                    waiting.append(continuation)
                    return false
                }
                free -= 1
                return true
            }
            if hasPlace { continuation.resume() }
        }
    }

    func giveBack() {
        let next = lock.withLock {
            if waiting.isEmpty {
                free += 1
                return nil as CheckedContinuation<Void, Never>?
            }
            return waiting.removeFirst()
        }
        next?.resume()
    }
}
