// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "FlatCache", path: "..")],
    targets: [
        // Measures from another module, as an app uses the library: what isn't inlinable shows.
        .executableTarget(
            name: "flatcache-benchmark",
            dependencies: [.product(name: "FlatCache", package: "FlatCache")]
        )
    ]
)
