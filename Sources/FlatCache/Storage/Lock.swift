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
}
