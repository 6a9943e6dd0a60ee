import Foundation
import PackagePlugin

/// `swift package flatcache review|explain|graph`: runs the tool over the targets of a package, and writes nothing.
///
/// Plugins can share no code: this one and the one that records differ in the commands that they know. All else is the
/// business of the tool.
@main
struct FlatCacheCommand: CommandPlugin {
    private static let commands = ["review", "explain", "graph"]

    func performCommand(context: PluginContext, arguments: [String]) throws {
        let tool = try context.tool(named: "FlatCacheTool").url
        if let first = arguments.first, ["help", "--help", "-h"].contains(first) {
            return try Process.run(tool, arguments: ["help"]).waitUntilExit()
        }
        guard let command = arguments.first, Self.commands.contains(command) else {
            Diagnostics.error(
                "write 'swift package flatcache review', 'explain' or 'graph'; '--help' behind it tells more"
            )
            return
        }
        let targets = context.package.targets.compactMap { $0 as? any SourceModuleTarget }.flatMap { target in
            targetArguments(target.moduleName, Array(target.sourceFiles.map(\.url)), in: target.directoryURL)
        }
        let folder = context.package.directoryURL.path
        try run(
            tool,
            command,
            options: Array(arguments.dropFirst()),
            targets: targets,
            copies: context.package.directoryURL.appending(path: "Generated").path,
            remedy: "swift package\(place(of: folder)) --allow-writing-to-package-directory flatcache-record",
            directory: context.pluginWorkDirectoryURL
        )
    }

    /// What names a target to the tool: its sources, and its own template as the build plugin finds it.
    private func targetArguments(_ name: String, _ files: [URL], in folder: URL?) -> [String] {
        let template =
            files.first { $0.lastPathComponent == "Relationships.mustache" }
            ?? folder?.appending(path: "Relationships.mustache")
        let hasTemplate = template.map { FileManager.default.fileExists(atPath: $0.path) } ?? false
        return ["--target", name] + (hasTemplate ? ["--template", template?.path ?? ""] : [])
            + files.filter { $0.pathExtension == "swift" }.map(\.path)
    }

    /// The option that leads SwiftPM from the current folder to the package, where that is another one.
    private func place(of folder: String) -> String {
        let current = FileManager.default.currentDirectoryPath
        if folder == current { return "" }
        let path = folder.hasPrefix(current + "/") ? String(folder.dropFirst(current.count + 1)) : folder
        return " --package-path '\(path.replacingOccurrences(of: "'", with: "'\\''"))'"
    }

    /// Runs the tool, which prints to standard output; its messages go where SwiftPM prints errors.
    private func run(
        _ tool: URL,
        _ command: String,
        options: [String],
        targets: [String],
        copies: String,
        remedy: String,
        directory: URL
    ) throws {
        let list = directory.appending(path: "targets")
        try Data(targets.joined(separator: "\n").utf8).write(to: list)
        let process = Process()
        let errors = Pipe()
        process.executableURL = tool
        process.arguments =
            [command, "@\(list.path)"] + (command == "review" ? ["--copies", copies, "--mend", remedy] : [])
            // The list names all targets already: the option selects some of them.
            + options.map { $0 == "--target" || $0.hasPrefix("--target=") ? "--only" + $0.dropFirst(8) : $0 }
        process.standardError = errors
        try process.run()
        let messages = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            .trimmingCharacters(in: .newlines)
        process.waitUntilExit()
        guard process.terminationStatus != 0 else { return }
        // In a line of their own, places are read as such by editors.
        Diagnostics.error(
            messages.hasPrefix("error: ") ? String(messages.dropFirst(7)) : "flatcache \(command):\n\(messages)"
        )
        exit(process.terminationStatus)
    }
}

#if canImport(XcodeProjectPlugin)
import XcodeProjectPlugin

extension FlatCacheCommand: XcodeCommandPlugin {
    /// Xcode puts the chosen targets before what is written in its dialog; without a command there, it reviews.
    func performCommand(context: XcodePluginContext, arguments: [String]) throws {
        let command = arguments.first(where: Self.commands.contains) ?? "review"
        try run(
            try context.tool(named: "FlatCacheTool").url,
            command,
            options: arguments.filter { $0 != command },
            targets: context.xcodeProject.targets.flatMap { target in
                targetArguments(target.product?.name ?? target.displayName, target.inputFiles.map(\.url), in: nil)
            },
            copies: context.xcodeProject.directoryURL.appending(path: "Generated").path,
            remedy: "FlatCacheRecord on the project in Xcode",
            directory: context.pluginWorkDirectoryURL
        )
    }
}
#endif
