// swift-tools-version: 6.1
import PackageDescription

let library: Target.Dependency = .product(name: "FlatCache", package: "FlatCache")
let plugin: Target.PluginUsage = .plugin(name: "FlatCachePlugin", package: "FlatCache")
let package = Package(
    name: "Incremental",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "FlatCache", path: "../../..")],
    targets: [
        .target(name: "Models", dependencies: [library], plugins: [plugin]),
        .executableTarget(name: "consumer", dependencies: [library, "Models"]),
    ]
)
