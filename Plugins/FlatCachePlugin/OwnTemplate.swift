import Foundation

/// Finds a target's own template.
enum OwnTemplate {
    /// The name of the file.
    private static let name = "Relationships.mustache"

    /// Returns the template of a target, or `nil` if it has none.
    ///
    /// - Parameters:
    ///   - folder: The folder of the target, which has the file at its top; `nil` in an Xcode project, where a target has
    ///     no folder and the file can be anywhere.
    ///   - files: All files of the target.
    /// - Throws: ``Misplaced`` for a file with the name of the template in another place, so that none is silently
    ///   ignored.
    static func url(in folder: URL?, files: [URL]) throws -> URL? {
        let found = files.filter { $0.lastPathComponent.lowercased() == name.lowercased() }
        guard let folder else {
            if found.count > 1 { throw Misplaced(path: found[1].path, advice: "file is a second template; keep one") }
            return found.first
        }
        let place = folder.appending(path: name)
        if let other = found.first(where: { $0.standardizedFileURL.path != place.standardizedFileURL.path }) {
            throw Misplaced(path: other.path, advice: "file is not used as the template; move it to \(place.path)")
        }
        // A target may exclude the file in its manifest. Then it isn't one of the target's files.
        return FileManager.default.fileExists(atPath: place.path) ? place : nil
    }

    /// A template in the wrong place.
    struct Misplaced: Error, CustomStringConvertible {
        let path: String
        let advice: String

        var description: String { "\(path): this \(advice)" }
    }
}
