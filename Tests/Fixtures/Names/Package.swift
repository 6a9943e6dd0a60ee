// swift-tools-version: 6.1
import PackageDescription

let library: Target.Dependency = .product(name: "FlatCache", package: "FlatCache")
let plugin: Target.PluginUsage = .plugin(name: "FlatCachePlugin", package: "FlatCache")
let package = Package(
    name: "Names",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "FlatCache", path: "../../..")],
    targets: [
        .target(name: "Plain", plugins: [plugin]),
        .target(name: "Left", dependencies: [library], plugins: [plugin]),
        .target(name: "Right", dependencies: [library], plugins: [plugin]),
        .target(name: "Odd", dependencies: [library, "Left"], path: "Sources/Odd", plugins: [plugin]),
        .executableTarget(name: "consumer", dependencies: [library, "Plain", "Left", "Right", "Odd"]),
    ]
)
