#if canImport(Darwin)
public import Darwin
#elseif canImport(Glibc)
public import Glibc
#elseif canImport(Musl)
public import Musl
#elseif canImport(Android)
public import Android
#endif

/// The lock of the operating system, as memory that its owner places where it wants it.
///
/// `Synchronization.Mutex` would do, but for two reasons: the thread sanitizer does not see into it on Linux and reports
/// races that are none, and several locks can't be taken at once through nested closures without knowing how many.
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

    /// Creates a lock, open, in uninitialized memory.
    @usableFromInline init(initializing pointer: UnsafeMutablePointer<LockPrimitive>) {
        self.pointer = pointer
        pointer.initialize(to: LockPrimitive())
        #if !canImport(Darwin)
        pthread_mutex_init(&pointer.pointee.primitive, nil)
        #endif
    }

    /// Refers to a lock that exists.
    @inlinable init(_ pointer: UnsafeMutablePointer<LockPrimitive>) {
        self.pointer = pointer
    }

    /// Ends the life of a lock that is open and that nobody refers to any more; the memory stays with its owner.
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

/// A lock with memory of its own.
struct Lock: ~Copyable, Sendable {
    private let reference: LockReference

    init() {
        reference = LockReference(initializing: .allocate(capacity: 1))
    }

    deinit {
        reference.destroy()
        reference.pointer.deallocate()
    }

    /// Runs a body, which is never user code, while the lock is held.
    func withLock<Result>(_ body: () -> Result) -> Result {
        reference.lock()
        defer { reference.unlock() }
        return body()
    }

    func lock() { reference.lock() }

    func unlock() { reference.unlock() }
}

/// A variable behind a lock, whose content is the user's or owns what is: an entity, a callback, an identifier.
///
/// Releasing such a thing may run user code, which must not happen while a lock is held. So the content can't be dropped in
/// place: whoever replaces it gets it, and lets it go when the lock is open.
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

    /// Puts something in the place of the content.
    ///
    /// - Returns: The content, to be released when no lock is held.
    mutating func replace(with new: consuming Content?) -> Content? {
        swap(&content, &new)
        return new
    }

    /// Takes the content out, to be released when no lock is held.
    mutating func take() -> Content? { replace(with: nil) }
}

/// Work that other threads wait for: a large commit, or a body that has reserved what it reads.
///
/// It holds a lock of its own for as long as it takes; to wait is to take that lock and to open it again. So the system
/// knows whom a thread waits for, and lends that thread its priority. Nobody waits for it who holds another lock.
@usableFromInline
final class Hold: Sendable {
    private let lock = Lock()

    /// Begins the work, which the same thread must ``end()``.
    init() {
        lock.lock()
    }

    /// Ends the work: those who wait go on.
    func end() { lock.unlock() }

    /// Waits until the work has ended.
    func wait() {
        lock.lock()
        lock.unlock()
    }
}
