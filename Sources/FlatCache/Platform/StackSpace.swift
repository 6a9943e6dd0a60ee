#if canImport(Darwin)
private import Darwin
#elseif canImport(Glibc)
private import Glibc
#endif

/// The stack of the thread that creates this value.
struct StackSpace {
    /// The lowest address of the stack, or 0 if it isn't known.
    private let end: UInt

    init() {
        end = Self.endOfThread
    }

    /// Whether at least a number of bytes is left, as far as that is known.
    func has(_ bytes: UInt) -> Bool {
        var place: UInt8 = 0
        return withUnsafeMutablePointer(to: &place) { UInt(bitPattern: $0) > end + bytes }
    }
}

extension StackSpace {
    #if canImport(Darwin)
    private static var endOfThread: UInt {
        let thread = pthread_self()
        return UInt(bitPattern: pthread_get_stackaddr_np(thread)) - UInt(pthread_get_stacksize_np(thread))
    }
    #elseif canImport(Glibc)
    private typealias AttributeReader = @convention(c) (pthread_t, UnsafeMutablePointer<pthread_attr_t>) -> Int32

    /// The function that reads the attributes of a thread, which Swift doesn't import, because the header hides it.
    private static let readAttributes = dlsym(nil, "pthread_getattr_np").map {
        unsafeBitCast($0, to: AttributeReader.self)
    }

    private static var endOfThread: UInt {
        var attributes = pthread_attr_t()
        guard let readAttributes, readAttributes(pthread_self(), &attributes) == 0 else { return 0 }
        defer { pthread_attr_destroy(&attributes) }
        var lowest: UnsafeMutableRawPointer?
        var size = 0
        return pthread_attr_getstack(&attributes, &lowest, &size) == 0 ? UInt(bitPattern: lowest) : 0
    }
    #else
    private static var endOfThread: UInt { 0 }
    #endif
}
