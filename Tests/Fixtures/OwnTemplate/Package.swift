// swift-tools-version: 6.1
import PackageDescription

let library: Target.Dependency = .product(name: "FlatCache", package: "FlatCache")
let plugin: Target.PluginUsage = .plugin(name: "FlatCachePlugin", package: "FlatCache")
let package = Package(
    name: "OwnTemplate",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "FlatCache", path: "../../..")],
    targets: [
        .executableTarget(name: "consumer", dependencies: [library], plugins: [plugin])
    ]
)
