#if DEBUG
#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Android)
internal import Android
#endif
#if canImport(os)
internal import os
#endif

/// Messages about mistakes in the code of an app that lose nothing at once, for its developer.
///
/// Builds for release have none.
final class DeveloperNotes: @unchecked Sendable {  // The lock guards `said`.
    /// Those of the process, unless a test has its own.
    @TaskLocal static var current = DeveloperNotes(DeveloperNotes.print)

    private let lock = Lock()
    private var said: Set<String> = []
    private let say: @Sendable (String) -> Void

    init(_ say: @escaping @Sendable (String) -> Void) {
        self.say = say
    }

    /// Says something, unless it was said before.
    ///
    /// - Parameters:
    ///   - subject: What identifies the message.
    ///   - message: The message.
    static func sayOnce(_ subject: String, _ message: () -> String) {
        let notes = current
        if notes.lock.withLock({ notes.said.insert(subject).inserted }) { notes.say(message()) }
    }

    /// Writes a message to standard error, and on Apple's systems reports a runtime issue.
    @Sendable private static func print(_ message: String) {
        #if canImport(os)
        let log = OSLog(subsystem: "com.apple.runtime-issues", category: "FlatCache")
        message.withCString { os_log(.fault, dso: frameworkOfSystem, log: log, "%{public}s", $0) }
        #endif
        let line = Array("FlatCache: \(message)\n".utf8)
        _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    #if canImport(os)
    /// The image of a framework, because Xcode shows only faults of the system as runtime issues.
    private static var frameworkOfSystem: UnsafeRawPointer? {
        let names = (0..<_dyld_image_count()).lazy.map { (number: $0, name: _dyld_get_image_name($0)) }
        let framework = names.first { $0.name.map { String(cString: $0).hasSuffix("/SwiftUI") } ?? false }
        return framework.flatMap { UnsafeRawPointer(_dyld_get_image_header($0.number)) }
    }
    #endif
}
#endif
