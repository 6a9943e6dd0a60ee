import Foundation

/// The Swift files that are changed.
struct Corpus {
    /// Their bytes, in the order of their paths.
    var files: [[UInt8]] = []

    init(_ folders: [String]) {
        for folder in folders {
            let paths = (FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? []).sorted()
            for path in paths where path.hasSuffix(".swift") && !path.contains(".build") {
                guard let data = FileManager.default.contents(atPath: folder + "/" + path) else { continue }
                if data.count < 60_000 { files.append(Array(data)) }
            }
        }
    }
}
