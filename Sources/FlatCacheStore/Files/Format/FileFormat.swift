/// The format of the files of a ``FileStore``.
///
/// All numbers are little endian. All checksums are CRC-32C.
///
/// A folder has these files:
///
/// | File | |
/// |---|---|
/// | `manifest` | Names the logs that count, in order. See ``Manifest``. |
/// | `log-N` | Frames of batches, in the order in which they were written. See ``LogHeader`` and ``FrameHeader``. |
/// | `lock` | Empty. The process that writes holds its lock. |
/// | `*.new` | A file that isn't complete. |
/// | `damaged-*` | What ``FileStore/salvage()`` has copied. No other operation than ``FileStore/erase()`` touches it. |
///
/// A manifest and a log begin with eight bytes that tell what they are, and the version of the format. In all versions,
/// the last four bytes of a manifest, and the last four of the first 24 bytes of a log, are the checksum of the bytes
/// before. So a version can tell a file of a newer version from a damaged one.
enum FileFormat {
    /// The version that this code writes, and the newest that it reads.
    static let version: UInt32 = 1

    static let manifestName = "manifest"
    static let lockName = "lock"
    /// The end of the name of a file that isn't complete.
    static let incompleteSuffix = ".new"
    /// The beginning of the name of a file that ``FileStore/salvage()`` makes.
    static let damagedPrefix = "damaged-"

    /// Returns the name of a log.
    static func logName(_ number: UInt32) -> String { "log-\(number)" }

    /// The largest number of a log, so that there is always a next one.
    static let maximumLogNumber = UInt32.max / 2

    /// Returns the number of a log, or `nil` if a file isn't a log.
    static func logNumber(_ name: String) -> UInt32? {
        guard name.hasPrefix("log-"), let number = UInt32(name.dropFirst(4)), logName(number) == name else {
            return nil
        }
        return number <= maximumLogNumber ? number : nil
    }

    /// Whether a store removes a file that its manifest doesn't name.
    static func isRemovedIfUnnamed(_ name: String) -> Bool {
        if logNumber(name) != nil { return true }
        guard name.hasSuffix(incompleteSuffix) else { return false }
        let complete = String(name.dropLast(incompleteSuffix.count))
        return complete == manifestName || complete.hasPrefix(damagedPrefix) || logNumber(complete) != nil
    }
}
