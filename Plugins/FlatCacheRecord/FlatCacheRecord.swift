import Foundation
import PackagePlugin

/// `swift package --allow-writing-to-package-directory flatcache-record`: writes copies of the accessors for reviews.
///
/// The copies are `Generated/TARGET+Relationships.swift` in the package's folder.
@main
struct FlatCacheRecord: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) throws {
        try record(with: try CommandTool(context), options: arguments)
    }

    private func record(with tool: CommandTool, options: [String]) throws {
        try tool.run(["record"], options: options, hasCopies: true, name: "flatcache-record")
    }
}

#if canImport(XcodeProjectPlugin)
import XcodeProjectPlugin

extension FlatCacheRecord: XcodeCommandPlugin {
    func performCommand(context: XcodePluginContext, arguments: [String]) throws {
        try record(with: try CommandTool(context), options: arguments)
    }
}
#endif
