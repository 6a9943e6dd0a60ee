// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "App",
    platforms: [.macOS(.v15)],
    dependencies: [.package(path: "../Models")],
    targets: [.executableTarget(name: "consumer", dependencies: [.product(name: "DeepModels", package: "Models")])]
)
