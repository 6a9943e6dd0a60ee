import Foundation

/// A variable that several threads may use.
///
/// Not `Mutex`, into which the thread sanitizer can't see on every platform.
final class Protected<Value>: @unchecked Sendable {  // Guarded by the lock.
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) {
        self.value = value
    }

    func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        try lock.withLock { try body(&value) }
    }
}
