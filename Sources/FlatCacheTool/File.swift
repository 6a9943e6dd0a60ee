#if canImport(FoundationEssentials)
import FoundationEssentials  // Importing all of Foundation would double the time that users wait for the tool to compile.
#else
import Foundation
#endif

/// Reading and writing files, with errors that say what to do.
enum File {
    /// The bytes of a file.
    static func read(_ path: String) throws(CommandError) -> [UInt8] {
        var isDirectory = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
            throw .failure("\(path): error: there is no such file")
        }
        if isDirectory { throw .failure("\(path): error: this is a directory; name the files in it") }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw .failure("\(path): error: the file can't be read")
        }
        return Array(data)
    }

    /// Writes a file if it has changed, so that what depends on it isn't built again for nothing.
    ///
    /// Missing folders are made.
    static func write(_ bytes: [UInt8], to path: String) throws(CommandError) {
        let data = Data(bytes)
        if FileManager.default.contents(atPath: path) == data { return }
        do {
            let url = URL(fileURLWithPath: path)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try data.write(to: url, options: .atomic)
        } catch {
            throw .failure("\(path): error: the file can't be written: \(error)")
        }
    }
}

#if !canImport(FoundationEssentials)
extension FileManager {
    /// As in FoundationEssentials, without the types of Objective-C.
    fileprivate func fileExists(atPath path: String, isDirectory: inout Bool) -> Bool {
        var result: ObjCBool = false
        defer { isDirectory = result.boolValue }
        return fileExists(atPath: path, isDirectory: &result)
    }
}
#endif
