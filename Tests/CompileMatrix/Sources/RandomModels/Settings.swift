import Foundation

/// What the command line and the environment ask for.
struct Settings: Sendable {
    /// Where the random numbers begin: `FLATCACHE_MODELS_SEED`.
    let seed: UInt64
    /// The one target to look at, by its seed: `FLATCACHE_MODELS_ONLY`.
    let only: UInt64?
    /// When to stop: `FLATCACHE_MODELS_SECONDS` after the start.
    let end: Date
    let compiler: Compiler
    /// The program that decodes documents of random models.
    let program: [RenderedFile]
    /// The number of documents for each program: `FLATCACHE_PAYLOADS`.
    let documents: Int
    /// Where failing targets are kept.
    let failures: URL

    /// Reads the folder of the library's module, the template, a folder to write to, and the folder with the program
    /// of payloads, in this order.
    init() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 5 else { throw UsageError() }
        let environment = ProcessInfo.processInfo.environment
        only = environment["FLATCACHE_MODELS_ONLY"].flatMap(UInt64.init)
        seed = environment["FLATCACHE_MODELS_SEED"].flatMap(UInt64.init) ?? only ?? UInt64.random(in: 0..<1_000_000_000)
        end = Date() + (environment["FLATCACHE_MODELS_SECONDS"].flatMap(Double.init) ?? 60)
        let template = try Data(contentsOf: URL(fileURLWithPath: arguments[2]))
        let folder = URL(fileURLWithPath: arguments[3])
        compiler = Compiler(
            library: arguments[1],
            template: String(decoding: template, as: UTF8.self),
            folder: folder.appendingPathComponent("targets")
        )
        documents = environment["FLATCACHE_PAYLOADS"].flatMap(Int.init) ?? 1_000
        let names = try FileManager.default.contentsOfDirectory(atPath: arguments[4]).sorted()
        program = try names.filter { $0.hasSuffix(".swift") }.map { name in
            let file = URL(fileURLWithPath: arguments[4]).appendingPathComponent(name)
            return RenderedFile(name: name, text: try String(contentsOf: file, encoding: .utf8))
        }
        failures = folder.appendingPathComponent("failures")
    }

    struct UsageError: Error, CustomStringConvertible {
        let description =
            "write the folder of the library's module, the template, a folder for targets, and the folder with the program of payloads"
    }
}
