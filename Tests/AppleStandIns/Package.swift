// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "AppleStandIns",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "https://github.com/OpenCombine/OpenCombine", exact: "0.14.0")
    ],
    targets: [
        // Stands in for Apple's module of that name.
        .target(name: "Combine", dependencies: [.product(name: "OpenCombine", package: "OpenCombine")]),

        // Symbolic links to the library, which here can import Combine, and to the threads of its tests.
        .target(name: "FlatCache", dependencies: ["Combine"]),
        .target(name: "TestThreads"),
        .testTarget(name: "PublisherTests", dependencies: ["Combine", "FlatCache", "TestThreads"]),
    ]
)

for target in package.targets {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
