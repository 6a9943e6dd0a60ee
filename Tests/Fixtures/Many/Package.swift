// swift-tools-version: 6.1
import PackageDescription

let library: Target.Dependency = .product(name: "FlatCache", package: "FlatCache")
let plugin: Target.PluginUsage = .plugin(name: "FlatCachePlugin", package: "FlatCache")
let package = Package(
    name: "Many",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "FlatCache", path: "../../..")],
    targets: [
        // Compiled as a whole: file by file, the compiler would read all of them eighty times.
        .target(
            name: "Many",
            dependencies: [library],
            swiftSettings: [.unsafeFlags(["-wmo", "-num-threads", "1"])],
            plugins: [plugin]
        ),
        .executableTarget(name: "consumer", dependencies: [library, "Many"]),
    ]
)
