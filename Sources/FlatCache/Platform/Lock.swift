#if canImport(Darwin)
public import Darwin
#elseif canImport(Glibc)
public import Glibc
#elseif canImport(Musl)
public import Musl
#elseif canImport(Android)
public import Android
#endif

/// The lock of the operating system, in memory that its owner provides.
///
/// `Synchronization.Mutex` isn't used for two reasons. On Linux, the thread sanitizer doesn't support it and reports
/// false races. And a variable number of locks can't be taken with nested closures.
@frozen @usableFromInline
struct LockPrimitive {
    #if canImport(Darwin)
    @usableFromInline var primitive = os_unfair_lock_s()
    #else
    @usableFromInline var primitive = pthread_mutex_t()
    #endif

    @usableFromInline init() {}
}

/// A reference to a lock in memory whose address is stable until ``destroy()``.
@frozen @usableFromInline
struct LockReference: Equatable, @unchecked Sendable {  // A pointer to a lock is made to be used by many threads.
    @usableFromInline let pointer: UnsafeMutablePointer<LockPrimitive>

    /// Creates an unlocked lock in uninitialized memory.
    init(initializing pointer: UnsafeMutablePointer<LockPrimitive>) {
        self.pointer = pointer
        pointer.initialize(to: LockPrimitive())
        #if !canImport(Darwin)
        pthread_mutex_init(&pointer.pointee.primitive, nil)
        #endif
    }

    /// Creates a reference to an existing lock.
    @inlinable init(_ pointer: UnsafeMutablePointer<LockPrimitive>) {
        self.pointer = pointer
    }

    /// Destroys an unlocked lock after its last use.
    ///
    /// The owner keeps the memory.
    func destroy() {
        #if !canImport(Darwin)
        pthread_mutex_destroy(&pointer.pointee.primitive)
        #endif
        pointer.deinitialize(count: 1)
    }

    @inlinable func lock() {
        #if canImport(Darwin)
        os_unfair_lock_lock(&pointer.pointee.primitive)
        #else
        pthread_mutex_lock(&pointer.pointee.primitive)
        #endif
    }

    @inlinable func unlock() {
        #if canImport(Darwin)
        os_unfair_lock_unlock(&pointer.pointee.primitive)
        #else
        pthread_mutex_unlock(&pointer.pointee.primitive)
        #endif
    }
}

/// A lock that owns its memory.
package struct Lock: ~Copyable, Sendable {
    private let reference: LockReference

    package init() {
        reference = LockReference(initializing: .allocate(capacity: 1))
    }

    deinit {
        reference.destroy()
        reference.pointer.deallocate()
    }

    /// Runs a body, which is never user code, while the lock is held.
    package func withLock<Result>(_ body: () -> Result) -> Result {
        reference.lock()
        defer { reference.unlock() }
        return body()
    }

    func lock() { reference.lock() }

    func unlock() { reference.unlock() }
}

/// A variable behind a lock that holds a user value, such as an entity, a callback or an identifier.
///
/// The release of a user value may run user code, which must not happen while a lock is held. So the content can't be
/// released in place. The caller that replaces it receives it, and releases it after unlocking.
struct Held<Content>: ~Copyable {
    private var content: Content?

    init(_ content: consuming Content? = nil) {
        self.content = content
    }

    var isEmpty: Bool {
        if case .none = content { true } else { false }
    }

    /// Returns a copy of the content.
    var copy: Content? { content }

    /// Replaces the content.
    ///
    /// - Returns: The previous content, to be released when no lock is held.
    mutating func replace(with new: consuming Content?) -> Content? {
        swap(&content, &new)
        return new
    }

    /// Removes the content, which the caller releases when no lock is held.
    mutating func take() -> Content? { replace(with: nil) }
}

/// Work that other threads wait for: a large commit, or a body with a reservation.
///
/// It holds its own lock until it ends. To wait is to take this lock and release it. So the system can raise the
/// priority of the thread that does the work. A thread that holds another lock never waits for it.
final class Hold: Sendable {
    private let lock = Lock()

    /// Begins the work, which the same thread must ``end()``.
    init() {
        lock.lock()
    }

    /// Ends the work, so that waiting threads continue.
    func end() { lock.unlock() }

    /// Waits until the work has ended.
    func wait() {
        lock.lock()
        lock.unlock()
    }
}
