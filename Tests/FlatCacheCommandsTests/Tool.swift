import Foundation

/// The program as it was built beside the tests.
enum Tool {
    /// What a run printed, and its exit code.
    struct Outcome: Equatable {
        var status: Int32
        var output: String
        var errors: String
    }

    /// Runs the program to its end.
    ///
    /// - Parameters:
    ///   - folder: The current folder of the run.
    ///   - environment: What to add to the environment.
    static func run(
        _ arguments: [String],
        in folder: URL? = nil,
        environment: [String: String] = [:]
    ) throws -> Outcome {
        try run(products.appending(path: "flatcache"), arguments, in: folder, environment: environment)
    }

    /// Runs another program to its end, found by its name.
    static func run(named name: String, _ arguments: [String], in folder: URL) throws -> Outcome {
        try run(URL(filePath: "/usr/bin/env"), [name] + arguments, in: folder, environment: [:])
    }

    private static func run(
        _ program: URL,
        _ arguments: [String],
        in folder: URL?,
        environment: [String: String]
    ) throws -> Outcome {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.environment = ProcessInfo.processInfo.environment.filter { $0.key != "GITHUB_WORKSPACE" }
            .merging(environment) { $1 }
        let output = Pipe()
        let errors = Pipe()
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        // The errors that the program prints fit into the buffer of the pipe: it doesn't wait for that to be read.
        let printed = output.fileHandleForReading.readDataToEndOfFile()
        let printedErrors = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Outcome(
            status: process.terminationStatus,
            output: String(decoding: printed, as: UTF8.self),
            errors: String(decoding: printedErrors, as: UTF8.self)
        )
    }

    /// The folder of what was built.
    private static var products: URL {
        let tests = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL ?? Bundle.main.bundleURL
        return tests.pathExtension == "xctest" ? tests.deletingLastPathComponent() : tests
    }
}
