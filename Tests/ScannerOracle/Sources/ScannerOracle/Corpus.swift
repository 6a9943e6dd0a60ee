import Foundation

/// The files that are compared.
enum Corpus {
    /// All Swift files below folders, sorted, links not followed.
    static func files(below roots: [String]) -> [String] {
        roots.flatMap { root -> [String] in
            if root.hasSuffix(".swift") { return [root] }
            let enumerator = FileManager.default.enumerator(
                at: URL(fileURLWithPath: root),
                includingPropertiesForKeys: [.isRegularFileKey]
            )
            var paths: [String] = []
            while let url = enumerator?.nextObject() as? URL {
                guard url.pathExtension == "swift" || url.pathExtension == "swiftinterface",
                    (try? url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) == true
                else { continue }
                paths.append(url.path)
            }
            return paths.sorted()
        }
    }
}
