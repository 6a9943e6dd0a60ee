import Foundation
import TestThreads

/// The program as it was built beside the tests.
enum Tool {
    /// The output and the exit code of a run.
    struct Outcome: Equatable {
        var status: Int32
        var output: String
        var errors: String
    }

    /// Runs the program to its end.
    ///
    /// - Parameters:
    ///   - folder: The current folder of the run.
    ///   - environment: The variables to add to the environment.
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
        willBlock()
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
        // The errors fit into the buffer of the pipe, so the program doesn't wait until they are read.
        let printed = output.fileHandleForReading.readDataToEndOfFile()
        let messages = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Outcome(
            status: process.terminationStatus,
            output: String(decoding: printed, as: UTF8.self),
            errors: String(decoding: messages, as: UTF8.self)
        )
    }

    /// The folder of the build products.
    private static var products: URL {
        let tests = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL ?? Bundle.main.bundleURL
        return tests.pathExtension == "xctest" ? tests.deletingLastPathComponent() : tests
    }
}
