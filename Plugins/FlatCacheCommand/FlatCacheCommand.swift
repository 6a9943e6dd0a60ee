import Foundation
import PackagePlugin

/// `swift package flatcache review|explain|graph`: runs the tool over the targets of a package, and writes nothing.
@main
struct FlatCacheCommand: CommandPlugin {
    private static let commands = ["review", "explain", "graph"]

    /// The message for the command that isn't part of the tool, because it would make builds longer.
    private static let inspection =
        "only the program can inspect a store, because the plugin doesn't link stores; run 'swift run flatcache inspect FOLDER'"

    func performCommand(context: PluginContext, arguments: [String]) throws {
        if arguments.first == "inspect" { return Diagnostics.error(Self.inspection) }
        let tool = try CommandTool(context)
        if let first = arguments.first, ["help", "--help", "-h"].contains(first) {
            return try Process.run(tool.url, arguments: ["help"]).waitUntilExit()
        }
        guard let command = arguments.first, Self.commands.contains(command) else {
            Diagnostics.error(
                "write 'swift package flatcache review', 'explain' or 'graph'; add '--help' for the options of each"
            )
            return
        }
        let option = Self.packageOption(for: tool.packageURL.path)
        try run(
            tool,
            command,
            options: Array(arguments.dropFirst()),
            remedy: "swift package\(option) --allow-writing-to-package-directory flatcache-record"
        )
    }

    /// The option with which SwiftPM finds the package from the current folder; empty inside the package's folder.
    private static func packageOption(for folder: String) -> String {
        let current = FileManager.default.currentDirectoryPath
        if folder == current { return "" }
        let path = folder.hasPrefix(current + "/") ? String(folder.dropFirst(current.count + 1)) : folder
        return " --package-path '\(path.replacingOccurrences(of: "'", with: "'\\''"))'"
    }

    private func run(_ tool: CommandTool, _ command: String, options: [String], remedy: String) throws {
        let isReview = command == "review"
        try tool.run(
            [command] + (isReview ? ["--mend", remedy] : []),
            options: options,
            hasCopies: isReview,
            name: "flatcache \(command)"
        )
    }
}

#if canImport(XcodeProjectPlugin)
import XcodeProjectPlugin

extension FlatCacheCommand: XcodeCommandPlugin {
    /// Reviews unless the arguments name another command.
    ///
    /// Xcode passes the chosen targets before the user's arguments.
    func performCommand(context: XcodePluginContext, arguments: [String]) throws {
        if arguments.contains("inspect") { return Diagnostics.error(Self.inspection) }
        let command = arguments.first(where: Self.commands.contains) ?? "review"
        try run(
            try CommandTool(context),
            command,
            options: arguments.filter { $0 != command },
            remedy: "FlatCacheRecord on the project in Xcode"
        )
    }
}
#endif
