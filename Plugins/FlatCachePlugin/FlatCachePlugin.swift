import Foundation
import PackagePlugin

/// Runs the tool over the sources of a target and adds the accessors it generates to the target.
///
/// Each target has one output. It is declared even if the target has no annotation, so that the first annotation in an
/// existing file triggers a build like any other change.
///
/// A file `Relationships.mustache` at the top of the target's folder replaces the shipped template.
@main
struct FlatCachePlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let target = target as? any SourceModuleTarget else { return [] }
        return [
            try command(
                target: target.moduleName,
                sources: target.sourceFiles(withSuffix: ".swift").map(\.url),
                template: try OwnTemplate.url(in: target.directoryURL, files: target.sourceFiles.map(\.url)),
                tool: try context.tool(named: "FlatCacheTool").url,
                directory: context.pluginWorkDirectoryURL
            )
        ]
    }

    private func command(
        target: String,
        sources: [URL],
        template: URL?,
        tool: URL,
        directory: URL
    ) throws -> Command {
        let sources = sources.sorted { $0.path < $1.path }
        let output = directory.appending(path: "\(target)+Relationships.swift")
        let (arguments, lists) = try LongArguments.fitting(
            ["--target", target, "--output", output.path]
                + (template.map { ["--template", $0.path] } ?? []) + sources.map(\.path),
            in: directory
        )
        return .buildCommand(
            displayName: "Generate the relationships of \(target)",
            executable: tool,
            arguments: ["generate"] + arguments,
            inputFiles: sources + (template.map { [$0] } ?? []) + lists,
            outputFiles: [output]
        )
    }
}

#if canImport(XcodeProjectPlugin)
import XcodeProjectPlugin

extension FlatCachePlugin: XcodeBuildToolPlugin {
    func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command] {
        [
            try command(
                target: target.product?.name ?? target.displayName,
                sources: target.inputFiles.map(\.url).filter { $0.pathExtension == "swift" },
                template: try OwnTemplate.url(in: nil, files: target.inputFiles.map(\.url)),
                tool: try context.tool(named: "FlatCacheTool").url,
                directory: context.pluginWorkDirectoryURL
            )
        ]
    }
}
#endif
