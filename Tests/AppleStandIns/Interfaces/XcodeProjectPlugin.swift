// The interface of Xcode's module for plugins that run on its projects, as Apple documents it, to check calls of it where
// there is no Xcode. Nothing here runs.
//
// Left out: what is deprecated because it has a `Path` where a `URL` is now (`directory`, `filePaths`,
// `pluginWorkDirectory`), and conformances that nobody needs to call it.

public import Foundation
public import PackagePlugin

/// What Xcode passes to a plugin.
public struct XcodePluginContext {
    /// The project on which the plugin runs.
    public let xcodeProject: XcodeProject
    /// Where the plugin may write.
    public let pluginWorkDirectoryURL: URL

    /// Finds a tool on which the plugin depends.
    public func tool(named name: String) throws -> PluginContext.Tool { throw NotXcode() }
}

/// A project.
public struct XcodeProject: Identifiable {
    /// Identifies it.
    public let id: String
    /// The name that people see.
    public let displayName: String
    /// The folder of the project.
    public let directoryURL: URL
    /// All targets.
    public let targets: [XcodeTarget]
}

/// A target of a project; it has files, and no folder.
public struct XcodeTarget: Identifiable {
    /// Identifies it.
    public let id: String
    /// The name that people see.
    public let displayName: String
    /// What is built, for targets that build something.
    public let product: XcodeProduct?
    /// What must be built before.
    public let dependencies: [XcodeTargetDependency]
    /// All files of the target, of whatever kind.
    public let inputFiles: FileList
}

/// What a target depends on.
public enum XcodeTargetDependency {
    case target(XcodeTarget)
    case product(any Product)
}

/// What a target builds.
public struct XcodeProduct {
    /// The name of what is built.
    public let name: String
    /// What is built.
    public let kind: Kind

    /// Kinds of products.
    public enum Kind {
        case application
        case executable
        case framework
        case library
        case other(String)
    }
}

/// A plugin that adds commands to the build of a target.
///
/// Unlike that for packages, this isn't asynchronous.
public protocol XcodeBuildToolPlugin: Plugin {
    /// Makes the commands for a target.
    func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command]
}

/// A plugin that people run on a project.
public protocol XcodeCommandPlugin: Plugin {
    /// Runs the plugin.
    func performCommand(context: XcodePluginContext, arguments: [String]) throws
}

private struct NotXcode: Error {}
