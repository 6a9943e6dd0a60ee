import Foundation
import PackagePlugin

/// `swift package --allow-writing-to-package-directory flatcache-record`: writes the copies of the accessors that reviewers
/// read to `Generated/TARGET+Relationships.swift` in the package's folder.
@main
struct FlatCacheRecord: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) throws {
        let targets = context.package.targets.compactMap { $0 as? any SourceModuleTarget }.flatMap { target in
            targetArguments(target.moduleName, Array(target.sourceFiles.map(\.url)), in: target.directoryURL)
        }
        try record(
            try context.tool(named: "FlatCacheTool").url,
            options: arguments,
            targets: targets,
            copies: context.package.directoryURL.appending(path: "Generated").path,
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

    /// Runs the tool, which prints to standard output; its messages go where SwiftPM prints errors.
    private func record(_ tool: URL, options: [String], targets: [String], copies: String, directory: URL) throws {
        let list = directory.appending(path: "targets")
        try Data(targets.joined(separator: "\n").utf8).write(to: list)
        let process = Process()
        let errors = Pipe()
        process.executableURL = tool
        process.arguments =
            ["record", "@\(list.path)", "--copies", copies]
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
            messages.hasPrefix("error: ") ? String(messages.dropFirst(7)) : "flatcache-record:\n\(messages)"
        )
        exit(process.terminationStatus)
    }
}

#if canImport(XcodeProjectPlugin)
import XcodeProjectPlugin

extension FlatCacheRecord: XcodeCommandPlugin {
    func performCommand(context: XcodePluginContext, arguments: [String]) throws {
        try record(
            try context.tool(named: "FlatCacheTool").url,
            options: arguments,
            targets: context.xcodeProject.targets.flatMap { target in
                targetArguments(target.product?.name ?? target.displayName, target.inputFiles.map(\.url), in: nil)
            },
            copies: context.xcodeProject.directoryURL.appending(path: "Generated").path,
            directory: context.pluginWorkDirectoryURL
        )
    }
}
#endif
