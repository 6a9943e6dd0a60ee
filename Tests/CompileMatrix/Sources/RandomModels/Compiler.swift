import Foundation

/// Runs the Swift compiler over targets.
struct Compiler: Sendable {
    /// The folder with the module of the library.
    var library: String
    /// The text of the template.
    var template: String
    /// Where targets are written.
    var folder: URL

    /// Compiles files as one module.
    ///
    /// - Returns: What the compiler says; `nil` when it says nothing.
    func errors(in files: [RenderedFile], _ mode: CompilerMode) -> String? {
        do {
            let place = folder.appendingPathComponent(UUID().uuidString)
            try Self.write(files, to: place)
            defer { try? FileManager.default.removeItem(at: place) }
            let paths = files.map { place.appendingPathComponent($0.name).path }
            return try run(
                ["swiftc", "-typecheck", "-warnings-as-errors", "-parse-as-library", "-module-name", Sketch.module]
                    + ["-package-name", "zoo", "-I", library] + mode.options + paths
            )
        } catch {
            return "\(error)"
        }
    }

    /// Builds a program with the library, and runs it.
    ///
    /// - Returns: The errors of the compiler or the output of the program; `nil` when there are none.
    func errors(running files: [RenderedFile], _ arguments: [String]) -> String? {
        do {
            let place = folder.appendingPathComponent(UUID().uuidString)
            try Self.write(files, to: place)
            defer { try? FileManager.default.removeItem(at: place) }
            let program = place.appendingPathComponent("program").path
            let paths = files.map { place.appendingPathComponent($0.name).path }
            let objects = URL(fileURLWithPath: library).deletingLastPathComponent()
                .appendingPathComponent("FlatCache.build")
            let compiled = try FileManager.default.contentsOfDirectory(atPath: objects.path)
                .filter { $0.hasSuffix(".o") }.map { objects.appendingPathComponent($0).path }
            let errors = try run(
                ["swiftc", "-swift-version", "6", "-warnings-as-errors", "-module-name", "Payloads", "-I", library]
                    + ["-o", program] + paths + compiled
            )
            return try errors ?? run([program] + arguments)
        } catch {
            return "\(error)"
        }
    }

    static func write(_ files: [RenderedFile], to folder: URL) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for file in files { try Data(file.text.utf8).write(to: folder.appendingPathComponent(file.name)) }
    }

    private func run(_ arguments: [String]) throws -> String? {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        let pipe = Pipe()
        process.standardError = pipe
        process.standardOutput = pipe
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let text = String(decoding: output, as: UTF8.self)
        return process.terminationStatus == 0 && text.isEmpty ? nil : text + "exit code \(process.terminationStatus)"
    }
}
