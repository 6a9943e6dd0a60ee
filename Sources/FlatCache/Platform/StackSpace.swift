#if canImport(Darwin)
private import Darwin
#elseif canImport(Glibc)
private import Glibc
#endif

/// The stack of the thread that creates this value.
struct StackSpace {
    /// The addresses of the stack, or an empty range if they aren't known.
    private let addresses: Range<UInt>

    init() {
        addresses = Self.addressesOfThread
    }

    /// Whether at least a number of bytes is left, as far as that is known.
    func has(_ bytes: UInt) -> Bool {
        var variable: UInt8 = 0
        let place = withUnsafeMutablePointer(to: &variable) { UInt(bitPattern: $0) }
        // The address sanitizer has variables elsewhere.
        return !addresses.contains(place) || place - addresses.lowerBound > bytes
    }
}

extension StackSpace {
    #if canImport(Darwin)
    private static var addressesOfThread: Range<UInt> {
        let thread = pthread_self()
        let highest = UInt(bitPattern: pthread_get_stackaddr_np(thread))
        let size = UInt(pthread_get_stacksize_np(thread))
        return size < highest ? highest - size..<highest : 0..<0
    }
    #elseif canImport(Glibc)
    private typealias AttributeReader = @convention(c) (pthread_t, UnsafeMutablePointer<pthread_attr_t>) -> Int32

    /// The function that reads the attributes of a thread, which Swift doesn't import, because the header hides it.
    private static let readAttributes = dlsym(nil, "pthread_getattr_np").map {
        unsafeBitCast($0, to: AttributeReader.self)
    }

    private static var addressesOfThread: Range<UInt> {
        var attributes = pthread_attr_t()
        guard let readAttributes, readAttributes(pthread_self(), &attributes) == 0 else { return 0..<0 }
        defer { pthread_attr_destroy(&attributes) }
        var start: UnsafeMutableRawPointer?
        var size = 0
        guard pthread_attr_getstack(&attributes, &start, &size) == 0, size > 0 else { return 0..<0 }
        let lowest = UInt(bitPattern: start)
        let (highest, isTooHigh) = lowest.addingReportingOverflow(UInt(size))
        return isTooHigh ? 0..<0 : lowest..<highest
    }
    #else
    private static var addressesOfThread: Range<UInt> { 0..<0 }
    #endif
}
