import Foundation

/// The program as it was built beside the tests.
enum Tool {
    /// What a run printed, and its exit code.
    struct Outcome {
        var status: Int32
        var output: String
        var errors: String
    }

    /// Runs the program to its end.
    static func run(_ arguments: [String]) throws -> Outcome {
        let process = Process()
        process.executableURL = products.appending(path: "flatcache")
        process.arguments = arguments
        let output = Pipe()
        let errors = Pipe()
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        // What the program prints fits into the buffers of the pipes: neither is read while it waits for the other.
        let printed = output.fileHandleForReading.readDataToEndOfFile()
        let told = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Outcome(
            status: process.terminationStatus,
            output: String(decoding: printed, as: UTF8.self),
            errors: String(decoding: told, as: UTF8.self)
        )
    }

    /// The folder of what was built.
    private static var products: URL {
        let tests = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL ?? Bundle.main.bundleURL
        return tests.pathExtension == "xctest" ? tests.deletingLastPathComponent() : tests
    }
}
