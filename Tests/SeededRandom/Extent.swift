import Foundation

/// How much tests do.
///
/// Tests that find more the longer they run do a part of it, unless `FLATCACHE_FULL` is set; `.ci/long` sets it.
package enum Extent {
    /// Whether tests do everything.
    package static let isFull = ProcessInfo.processInfo.environment["FLATCACHE_FULL"] != nil

    /// Returns how often a test does something, or how much of it there is.
    ///
    /// - Parameters:
    ///   - part: The number for every change.
    ///   - full: The number if tests do everything.
    package static func count(_ part: Int, full: Int) -> Int { isFull ? full : part }
}
