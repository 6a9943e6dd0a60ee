#if canImport(FoundationEssentials)
import FoundationEssentials  // Importing all of Foundation would double the time that users wait for the tool to compile.
#else
import Foundation
#endif

/// Functions that read and write files, with errors for the command line.
package enum File {
    /// The bytes of a file.
    @_optimize(none)
    package static func read(_ path: String) throws(CommandError) -> [UInt8] {
        var isDirectory = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
            throw .file(path, "file does not exist")
        }
        if isDirectory { throw .file(path, "path is a directory; name the files in it") }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw .file(path, "file can't be read")
        }
        return Array(data)
    }

    /// Writes a file if its contents have changed, so that the build doesn't repeat steps that depend on it.
    ///
    /// Missing folders are created. A symbolic link is followed. A device is written to directly.
    @_optimize(none)
    package static func write(_ bytes: [UInt8], to path: String) throws(CommandError) {
        let data = Data(bytes)
        let url = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        do {
            guard isReplaceable(url.path) || !exists(path) else {
                return try data.write(to: URL(fileURLWithPath: path))
            }
            if FileManager.default.contents(atPath: url.path) == data { return }
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try data.write(to: url, options: .atomic)
        } catch {
            throw .file(path, "file can't be written: \(error)")
        }
    }

    /// Whether a path names a regular file, which can be replaced atomically.
    private static func isReplaceable(_ path: String) -> Bool {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return attributes?[.type] as? FileAttributeType == .typeRegular
    }

    package static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }
}

#if !canImport(FoundationEssentials)
extension FileManager {
    /// The function of FoundationEssentials, without the types of Objective-C.
    fileprivate func fileExists(atPath path: String, isDirectory: inout Bool) -> Bool {
        var result: ObjCBool = false
        defer { isDirectory = result.boolValue }
        return fileExists(atPath: path, isDirectory: &result)
    }
}
#endif
