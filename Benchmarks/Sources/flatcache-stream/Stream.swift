import Foundation

/// Streams entities through caches with limits, and fails if memory grows or a limit isn't kept.
///
///     swift run -c release --package-path Benchmarks flatcache-stream [ENTITIES [STORED]]
///
/// ENTITIES go through a list, an observer of the type and a limit in memory; STORED ones through a limit with a store.
@main
enum Stream {
    static func main() async {
        let numbers = CommandLine.arguments.dropFirst().map { Int($0) ?? 0 }
        guard numbers.count <= 2, numbers.allSatisfy({ $0 > 0 }) else {
            FileHandle.standardError.write(Data("Usage: flatcache-stream [ENTITIES [STORED]]\n".utf8))
            exit(EX_USAGE)
        }
        var isFlat = MemoryStream(count: numbers.first ?? 10_000_000).run()
        do {
            isFlat = try await StoredStream(count: numbers.dropFirst().first ?? 200_000).run() && isFlat
        } catch {
            print("  failed: \(error)")
            isFlat = false
        }
        if !isFlat { exit(EXIT_FAILURE) }
    }
}
