// The declarations of Apple's module `os` that the library uses, as Swift sees them.

/// A log of a subsystem.
public final class OSLog: Sendable {
    /// Creates a log.
    public init(subsystem: String, category: String) {}
}

/// The level of a message.
public struct OSLogType: Sendable {
    /// The level of mistakes.
    public static let fault = OSLogType()
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Logs a message.
public func os_log(
    _ type: OSLogType,
    dso: UnsafeRawPointer? = #dsohandle,
    log: OSLog,
    _ message: StaticString,
    _ arguments: any CVarArg...
) {}
