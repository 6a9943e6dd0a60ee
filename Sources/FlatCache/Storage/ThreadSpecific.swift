#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Android)
internal import Android
#endif

/// A variable that every thread has for itself, and that refers to the top of a stack of running calls.
///
/// The reference is unowned: the frame of the call that has set it keeps the object alive, and sets the variable back
/// before it returns.
struct ThreadSpecific<Object: AnyObject>: Sendable {
    private let key: pthread_key_t

    /// Makes a variable that is `nil` in all threads, for as long as the process lives.
    init() {
        var key = pthread_key_t()
        let result = pthread_key_create(&key, nil)
        precondition(result == 0, "no thread-specific storage is left in this process")
        self.key = key
    }

    /// A reference to the object of the calling thread.
    var reference: Unmanaged<Object>? { pthread_getspecific(key).map { Unmanaged.fromOpaque($0) } }

    /// The object of the calling thread.
    var object: Object? {
        get { reference?.takeUnretainedValue() }
        nonmutating set {
            pthread_setspecific(key, newValue.map { UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) })
        }
    }
}
