// swift-tools-version: 6.1
import PackageDescription

let library: Target.Dependency = .product(name: "FlatCache", package: "FlatCache")
let plugin: Target.PluginUsage = .plugin(name: "FlatCachePlugin", package: "FlatCache")
let package = Package(
    name: "DeepModels",
    platforms: [.macOS(.v15)],
    products: [.library(name: "DeepModels", targets: ["DeepModels"])],
    dependencies: [.package(name: "FlatCache", path: "../../../..")],
    targets: [
        .target(name: "DeepModels", dependencies: [library], plugins: [plugin])
    ]
)
