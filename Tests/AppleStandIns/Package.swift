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

        // A symbolic link to the library, which here can import Combine.
        .target(name: "FlatCache", dependencies: ["Combine"]),
        .testTarget(name: "PublisherTests", dependencies: ["Combine", "FlatCache"]),
    ]
)

for target in package.targets {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
