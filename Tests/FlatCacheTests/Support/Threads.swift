import Foundation

/// Runs a body on several threads at once, and waits for all of them.
///
/// Threads, not tasks: the system may run them in parallel and interrupts them anywhere.
func onThreads(_ count: Int, _ body: @escaping @Sendable (_ number: Int) -> Void) {
    let group = DispatchGroup()
    let start = DispatchSemaphore(value: 0)
    for number in 0..<count {
        group.enter()
        let thread = Thread {
            start.wait()
            body(number)
            group.leave()
        }
        thread.stackSize = 1 << 20
        thread.start()
    }
    for _ in 0..<count { start.signal() }
    group.wait()
}

/// Waits until a condition holds that the end of other tasks brings about.
///
/// - Returns: Whether it has come to hold within many turns.
func eventually(isolation: isolated (any Actor)? = #isolation, _ condition: () -> Bool) async -> Bool {
    for _ in 0..<1_000_000 {
        if condition() { return true }
        await Task.yield()
    }
    return condition()
}
