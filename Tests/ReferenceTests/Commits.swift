import Foundation

/// Collects how many keys commits have changed.
final class Commits: @unchecked Sendable {  // Guarded by the lock.
    private let lock = NSLock()
    private var collected: [Int] = []

    var counts: [Int] { lock.withLock { collected } }

    func add(_ count: Int) {
        lock.withLock { collected.append(count) }
    }
}
