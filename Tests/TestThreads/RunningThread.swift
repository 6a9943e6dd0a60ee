import Foundation

/// A thread that a test starts and later waits for.
package final class RunningThread: Sendable {
    private let end = Gate("a thread ends")

    package init(stackSize: Int = 1 << 20, _ body: @escaping @Sendable () -> Void) {
        let thread = Thread { [end] in
            body()
            end.open()
        }
        thread.stackSize = stackSize
        thread.start()
    }

    /// Waits for the end of the thread.
    ///
    /// - Parameter seconds: The time after which the test fails.
    package func finish(failingAfter seconds: Double = 600, file: StaticString = #fileID, line: Int = #line) {
        end.wait(failingAfter: seconds, file: file, line: line)
    }

    /// Waits for the end of the thread in a task of the library, whose thread other tasks need.
    ///
    /// Only what needs no task itself may run on the thread.
    package func finishInLibrary() {
        end.waitUnchecked(failingAfter: 600)
    }

    /// Waits for the end of the thread, or until a deadline.
    ///
    /// - Returns: Whether it has ended.
    package func ends(within seconds: Double, file: StaticString = #fileID, line: Int = #line) -> Bool {
        end.opens(within: seconds, file: file, line: line)
    }
}

/// Runs a body on several threads at once, and waits for all of them.
///
/// Threads, not tasks: the system may run them in parallel and interrupts them anywhere.
package func onThreads(
    _ count: Int,
    file: StaticString = #fileID,
    line: Int = #line,
    _ body: @escaping @Sendable (_ number: Int) -> Void
) {
    let start = Gate("all threads are there")
    let threads = (0..<count).map { number in
        RunningThread {
            start.wait()
            body(number)
        }
    }
    // One opening for each, so that none waits until another one is woken.
    for _ in 0..<count { start.open() }
    // Far above the time that they take, also under a sanitizer on a loaded machine.
    for thread in threads { thread.finish(failingAfter: 30 * 60, file: file, line: line) }
}

/// Runs a body on a thread of its own, and returns whether it ends before a deadline.
///
/// A thread that doesn't end is left behind.
package func ends(
    within seconds: Double = 300,
    file: StaticString = #fileID,
    line: Int = #line,
    _ body: @escaping @Sendable () -> Void
) -> Bool {
    RunningThread(stackSize: 1 << 22, body).ends(within: seconds, file: file, line: line)
}

/// Lets other threads run until a condition holds that one of them brings about.
package func spin(file: StaticString = #fileID, line: Int = #line, until condition: () throws -> Bool) rethrows {
    willBlock(file, line)
    while try !condition() { sched_yield() }
}
