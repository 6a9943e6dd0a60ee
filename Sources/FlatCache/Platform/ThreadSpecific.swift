#if canImport(Darwin)
public import Darwin
#elseif canImport(Glibc)
public import Glibc
#elseif canImport(Musl)
public import Musl
#elseif canImport(Android)
public import Android
#endif

/// A variable that every thread has for itself, and that refers to the top of a stack of running calls.
///
/// The reference is unowned: the frame of the call that has set it keeps the object alive, and sets the variable back
/// before it returns. Or all threads own their objects, which are released when the threads end.
@frozen @usableFromInline
struct ThreadSpecific<Object: AnyObject>: Sendable {
    @usableFromInline let key: pthread_key_t

    /// Makes a variable that is `nil` in all threads, for as long as the process lives.
    init() {
        var key = pthread_key_t()
        let result = pthread_key_create(&key, nil)
        precondition(result == 0, "no thread-specific storage is left in this process")
        self.key = key
    }

    /// Another view of a variable, whose objects are all of a subclass.
    init(_ other: ThreadSpecific<AnyObject>) {
        key = other.key
    }

    /// Makes a variable whose objects belong to the threads.
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

    /// Gives the calling thread an object for as long as it lives.
    func own(_ object: Object) {
        pthread_setspecific(key, Unmanaged.passRetained(object).toOpaque())
    }

    /// Whether the calling thread has no object.
    @inlinable var isEmpty: Bool { pthread_getspecific(key) == nil }

    /// A reference to the object of the calling thread.
    @inlinable var reference: Unmanaged<Object>? { pthread_getspecific(key).map { Unmanaged.fromOpaque($0) } }

    /// The object of the calling thread.
    var object: Object? {
        get { reference?.takeUnretainedValue() }
        nonmutating set {
            pthread_setspecific(key, newValue.map { UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) })
        }
    }
}

/// Tells threads apart.
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
