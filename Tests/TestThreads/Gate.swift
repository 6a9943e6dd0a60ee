import Foundation
import Testing

/// A gate that threads wait at until another thread opens it, once and for all.
///
/// A thread that waits too long fails the test and goes on, so that a mistake doesn't hang the tests for ever.
package final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    private let purpose: String

    package init(_ purpose: String) {
        self.purpose = purpose
    }

    package func open() {
        semaphore.signal()
    }

    /// Waits until the gate is open.
    ///
    /// What opens it shouldn't need a task, which can have to wait for all tests that have begun; see ``opened()``.
    ///
    /// - Parameter seconds: The time after which the test fails.
    package func wait(failingAfter seconds: Double = 600, file: StaticString = #fileID, line: Int = #line) {
        willBlock(file, line)
        waitUnchecked(failingAfter: seconds)
    }

    func waitUnchecked(failingAfter seconds: Double) {
        if isPassed(within: seconds) { return }
        Issue.record("waited in vain until \(purpose)")
        // For the next one who waits.
        open()
    }

    /// Waits until the gate is open, or until a deadline.
    ///
    /// - Returns: Whether it is open.
    package func opens(within seconds: Double, file: StaticString = #fileID, line: Int = #line) -> Bool {
        willBlock(file, line)
        return isPassed(within: seconds)
    }

    /// Lets other tasks run until the gate is open.
    package func opened() async {
        while !isPassed(within: 0) { await Task.yield() }
    }

    private func isPassed(within seconds: Double) -> Bool {
        guard semaphore.wait(timeout: .now() + seconds) == .success else { return false }
        // For the next one who waits.
        open()
        return true
    }
}
