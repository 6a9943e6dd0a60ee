// The declarations of Apple's module `os` that the library uses.

public final class OSLog: Sendable {
    public init(subsystem: String, category: String) {}
}

public struct OSLogType: Sendable {
    public static let fault = OSLogType()
}

public func os_log(
    _ type: OSLogType,
    dso: UnsafeRawPointer? = #dsohandle,
    log: OSLog,
    _ message: StaticString,
    _ arguments: any CVarArg...
) {}
