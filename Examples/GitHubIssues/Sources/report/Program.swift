import FlatCache
import Foundation

@main
struct Program {
    static func main() throws {
        guard let folder = CommandLine.arguments.dropFirst().first else {
            print("Usage: report FOLDER")
            exit(64)
        }
        let cache = FlatCache()
        let problems = try Responses(folder: URL(filePath: folder)).store(in: cache)
        for line in Report(cache: cache).lines + problems.map(\.description) { print(line) }
        exit(problems.isEmpty ? 0 : 1)
    }
}
