import Foundation

/// Lets the compiler read what was generated.
///
/// Text of the source is in the output, such as conditions and generic parameters, so what is generated from a text that
/// the compiler can't read needn't be readable either: no build comes of it.
struct OutputCheck {
    /// How many outputs were read, and of how many neither they nor their texts can be.
    private(set) var count = 0
    private(set) var brokenCount = 0
    private var waiting: [(output: String, text: [UInt8], name: String)] = []
    private let folder = FileManager.default.temporaryDirectory.path + "/mutation-fuzzer-\(getpid())"

    /// Adds an output; they are read twenty at a time, because starting the compiler takes long.
    ///
    /// - Returns: What is wrong, if the compiler was asked.
    mutating func add(_ output: String, of text: [UInt8], name: String) -> String? {
        waiting.append((output, text, name))
        return waiting.count < 20 ? nil : finish()
    }

    /// Reads what is left.
    mutating func finish() -> String? {
        defer {
            count += waiting.count
            waiting = []
            try? FileManager.default.removeItem(atPath: folder)
        }
        if waiting.isEmpty || parses(waiting.map { Array($0.output.utf8) }) { return nil }
        for (output, text, name) in waiting where !parses([Array(output.utf8)]) {
            guard parses([text]) else {
                brokenCount += 1
                continue
            }
            return "\(name): the output can't be read by the compiler:\n\(output)"
        }
        return nil
    }

    private func parses(_ texts: [[UInt8]]) -> Bool {
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        var arguments = ["swiftc", "-frontend", "-parse", "-swift-version", "6", "-module-name", "Fuzz"]
        for (index, text) in texts.enumerated() {
            let path = "\(folder)/File\(index).swift"
            _ = FileManager.default.createFile(atPath: path, contents: Data(text))
            arguments.append(path)
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
