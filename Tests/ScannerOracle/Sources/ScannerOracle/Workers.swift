import Foundation
import Synchronization

/// Runs a body for each of a number of indices, on as many threads as there are processors.
///
/// The threads have large stacks: a syntax tree is walked recursively.
///
/// - Returns: The results in the order of the indices.
func inParallel<Result: Sendable>(_ count: Int, _ body: @escaping @Sendable (Int) -> Result) -> [Result] {
    let state = Shared<Result>()
    let group = DispatchGroup()
    for _ in 0..<ProcessInfo.processInfo.activeProcessorCount {
        group.enter()
        let thread = Thread {
            while let index = state.nextIndex(below: count) { state.add(body(index), at: index) }
            group.leave()
        }
        thread.stackSize = 512 << 20
        thread.start()
    }
    group.wait()
    return state.sorted
}

/// What the threads share.
private final class Shared<Result: Sendable>: Sendable {
    private let index = Mutex(0)
    private let results = Mutex<[Int: Result]>([:])

    func nextIndex(below count: Int) -> Int? {
        index.withLock { index in
            guard index < count else { return nil }
            defer { index += 1 }
            return index
        }
    }

    func add(_ result: Result, at index: Int) { results.withLock { $0[index] = result } }

    var sorted: [Result] {
        results.withLock { results in results.sorted { $0.key < $1.key }.map(\.value) }
    }
}
