import Foundation
import PackagePlugin

/// The tool as the command plugins run it.
///
/// Plugins can't share a module, so `Plugins/FlatCacheRecord` has a symbolic link to this file.
struct CommandTool {
    /// The executable.
    let url: URL
    /// A folder that the plugin can write to.
    let directory: URL
    /// The folder of the package or project.
    let packageURL: URL
    /// The arguments for all targets: names, templates and sources.
    let targets: [String]

    /// The folder of the copies.
    private var copies: String { packageURL.appending(path: "Generated").path }

    /// Runs a command.
    ///
    /// Its output is printed to standard output, and its errors are reported as errors of the plugin.
    ///
    /// - Parameters:
    ///   - command: The command and its own options.
    ///   - options: The options of the user.
    ///   - hasCopies: Whether the command compares or writes copies.
    ///   - name: The name of the plugin's command in errors.
    /// - Throws: An error of the system. An error of the tool ends the process with the tool's exit code.
    func run(_ command: [String], options: [String], hasCopies: Bool, name: String) throws {
        let list = directory.appending(path: "targets")
        try Data(targets.joined(separator: "\n").utf8).write(to: list)
        let process = Process()
        let errors = Pipe()
        process.executableURL = url
        process.arguments =
            command + ["@\(list.path)"] + (hasCopies ? ["--copies", copies] : [])
            // The list has all targets already, so the option selects some of them.
            + options.map { $0 == "--target" || $0.hasPrefix("--target=") ? "--only" + $0.dropFirst(8) : $0 }
        process.standardError = errors
        try process.run()
        let messages = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            .trimmingCharacters(in: .newlines)
        process.waitUntilExit()
        guard process.terminationStatus != 0 else { return }
        // Editors recognise a location only at the beginning of a line.
        Diagnostics.error(messages.hasPrefix("error: ") ? String(messages.dropFirst(7)) : "\(name):\n\(messages)")
        exit(process.terminationStatus)
    }

    /// The arguments for a target: its name, its sources, and its own template where the build plugin looks for it.
    private static func arguments(_ name: String, _ files: [URL], in folder: URL?) -> [String] {
        let template =
            files.first { $0.lastPathComponent == "Relationships.mustache" }
            ?? folder?.appending(path: "Relationships.mustache")
        let hasTemplate = template.map { FileManager.default.fileExists(atPath: $0.path) } ?? false
        return ["--target", name] + (hasTemplate ? ["--template", template?.path ?? ""] : [])
            + files.filter { $0.pathExtension == "swift" }.map(\.path)
    }
}

extension CommandTool {
    /// The tool over all targets of a package.
    init(_ context: PluginContext) throws {
        url = try context.tool(named: "FlatCacheReportTool").url
        directory = context.pluginWorkDirectoryURL
        packageURL = context.package.directoryURL
        targets = context.package.targets.compactMap { $0 as? any SourceModuleTarget }.flatMap { target in
            Self.arguments(target.moduleName, Array(target.sourceFiles.map(\.url)), in: target.directoryURL)
        }
    }
}

#if canImport(XcodeProjectPlugin)
import XcodeProjectPlugin

extension CommandTool {
    /// The tool over all targets of an Xcode project.
    init(_ context: XcodePluginContext) throws {
        url = try context.tool(named: "FlatCacheReportTool").url
        directory = context.pluginWorkDirectoryURL
        packageURL = context.xcodeProject.directoryURL
        targets = context.xcodeProject.targets.flatMap { target in
            Self.arguments(target.product?.name ?? target.displayName, target.inputFiles.map(\.url), in: nil)
        }
    }
}
#endif
