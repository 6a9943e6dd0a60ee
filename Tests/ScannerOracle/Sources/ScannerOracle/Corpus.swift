import Foundation

/// The files that are compared.
enum Corpus {
    struct File: Sendable {
        var path: String
        /// The path inside of the folder that was given.
        var name: String
        /// A number that depends on nothing but the name.
        var hash: UInt64

        init(path: String, root: String) {
            self.path = path
            name = path.hasPrefix(root) ? String(path.dropFirst(root.count).drop { $0 == "/" }) : path
            hash = name.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
        }
    }

    /// All Swift files below folders, in the order of their names; links are not followed.
    static func files(below folders: [String]) -> [File] {
        folders.flatMap { folder -> [File] in
            let root = URL(fileURLWithPath: folder).path
            let enumerator = FileManager.default.enumerator(
                at: URL(fileURLWithPath: root),
                includingPropertiesForKeys: [.isRegularFileKey]
            )
            var files: [File] = []
            while let url = enumerator?.nextObject() as? URL {
                guard url.pathExtension == "swift",
                    (try? url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) == true
                else { continue }
                files.append(File(path: url.path, root: root))
            }
            return files.sorted { $0.name < $1.name }
        }
    }
}
