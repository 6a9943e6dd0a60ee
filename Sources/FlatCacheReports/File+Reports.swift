import FlatCacheCommands

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Functions on files that only reports need.
extension File {
    /// Removes a file.
    static func remove(_ path: String) throws(CommandError) {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            throw .file(path, "file can't be removed: \(error)")
        }
    }

    /// The sorted names of a folder's entries; empty when there is no such folder.
    static func names(in folder: String) throws(CommandError) -> [String] {
        guard exists(folder) else { return [] }
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        } catch {
            throw .file(folder, "folder can't be read: \(error)")
        }
    }

    /// A path for messages, relative to the current folder if it is inside.
    static func displayedPath(_ path: String) -> String {
        let folder = FileManager.default.currentDirectoryPath + "/"
        for prefix in [folder, "./"] where path.hasPrefix(prefix) { return String(path.dropFirst(prefix.count)) }
        return path
    }

    /// A path for workflow commands, relative to the checkout in any working directory.
    static func workspacePath(_ path: String) -> String {
        guard let workspace = ProcessInfo.processInfo.environment["GITHUB_WORKSPACE"] else { return path }
        let absolute = path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
        return absolute.hasPrefix(workspace + "/") ? String(absolute.dropFirst(workspace.count + 1)) : path
    }
}
