#if canImport(Darwin)
public import Darwin
#elseif canImport(Glibc)
public import Glibc
#elseif canImport(Musl)
public import Musl
#elseif canImport(Android)
public import Android
#endif

/// A thread-local variable that refers to the top of a stack of running calls.
///
/// The reference is unowned. The frame of the call that sets it keeps the object alive, and resets the variable before
/// it returns. Alternatively, threads own their objects, which are released when the threads end.
@frozen @usableFromInline
struct ThreadLocal<Object: AnyObject>: Sendable {
    @usableFromInline let key: pthread_key_t

    /// Creates a variable that is `nil` in all threads and exists until the process ends.
    init() {
        var key = pthread_key_t()
        let result = pthread_key_create(&key, nil)
        precondition(result == 0, "no thread-specific storage is left in this process")
        self.key = key
    }

    /// Creates a typed view of a variable whose objects all have a subclass.
    init(_ other: ThreadLocal<AnyObject>) {
        key = other.key
    }

    /// Creates a variable whose objects are owned by the threads.
    init(owned: Void) {
        var key = pthread_key_t()
        let result = pthread_key_create(&key) { object in
            #if canImport(Darwin)
            Unmanaged<AnyObject>.fromOpaque(object).release()
            #else
            if let object { Unmanaged<AnyObject>.fromOpaque(object).release() }
            #endif
        }
        precondition(result == 0, "no thread-specific storage is left in this process")
        self.key = key
    }

    /// Sets the object of the calling thread, which owns it until it ends.
    func own(_ object: Object) {
        pthread_setspecific(key, Unmanaged.passRetained(object).toOpaque())
    }

    /// Whether the calling thread has no object.
    @inlinable var isEmpty: Bool { pthread_getspecific(key) == nil }

    /// An unowned reference to the object of the calling thread.
    @inlinable var reference: Unmanaged<Object>? { pthread_getspecific(key).map { Unmanaged.fromOpaque($0) } }

    /// The object of the calling thread.
    var object: Object? {
        get { reference?.takeUnretainedValue() }
        nonmutating set {
            pthread_setspecific(key, newValue.map { UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) })
        }
    }
}

/// The identity of a thread.
struct ThreadIdentity: Equatable, Sendable {
    let bits: UInt

    /// The calling thread.
    static var current: ThreadIdentity {
        #if canImport(Darwin)
        ThreadIdentity(bits: UInt(bitPattern: pthread_self()))
        #else
        ThreadIdentity(bits: UInt(pthread_self()))
        #endif
    }
}
