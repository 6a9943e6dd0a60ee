import Foundation

/// Finds the template that a target brings.
enum OwnTemplate {
    /// The name of the file.
    private static let name = "Relationships.mustache"

    /// The template of a target, or `nil` where it has none.
    ///
    /// - Parameters:
    ///   - folder: The folder of the target, at whose top the file belongs; `nil` in an Xcode project, where a target has
    ///     no folder, and the file may be anywhere.
    ///   - files: All files of the target.
    /// - Throws: ``Misplaced`` for a file that looks like the template and isn't where it belongs, so that none is
    ///   silently ignored.
    static func url(in folder: URL?, files: [URL]) throws -> URL? {
        let found = files.filter { $0.lastPathComponent.lowercased() == name.lowercased() }
        guard let folder else {
            if found.count > 1 { throw Misplaced(path: found[1].path, advice: "is a second template; keep one") }
            return found.first
        }
        let place = folder.appending(path: name)
        if let other = found.first(where: { $0.standardizedFileURL.path != place.standardizedFileURL.path }) {
            throw Misplaced(path: other.path, advice: "is not read; the template of a target belongs in \(place.path)")
        }
        // A target may exclude the file in its manifest: then it isn't among those of the target.
        return FileManager.default.fileExists(atPath: place.path) ? place : nil
    }

    /// A template in the wrong place.
    struct Misplaced: Error, CustomStringConvertible {
        let path: String
        let advice: String

        var description: String { "\(path): this \(advice)" }
    }
}
