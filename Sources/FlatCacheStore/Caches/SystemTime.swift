#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Android)
internal import Android
#endif

/// The time of the system, which tests replace.
struct SystemTime: Sendable {
    /// Returns the time in milliseconds since 1970.
    let now: @Sendable () -> UInt64

    /// The time of the system.
    static let ofSystem = SystemTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return UInt64(max(time.tv_sec, 0)) * 1_000 + UInt64(max(time.tv_nsec, 0)) / 1_000_000
    }
}
