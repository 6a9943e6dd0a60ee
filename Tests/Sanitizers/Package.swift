// swift-tools-version: 6.1
import PackageDescription

// The library and its tests alone, so that a sanitizer doesn't build the generator. All folders are symbolic links.
let package = Package(
    name: "Sanitizers",
    platforms: [.macOS(.v15)],
    targets: [
        .target(name: "FlatCache"),
        .target(name: "SeededRandom"),
        .target(name: "Homonyms", dependencies: ["FlatCache"]),
        .testTarget(name: "FlatCacheTests", dependencies: ["FlatCache", "Homonyms", "SeededRandom"]),
        .testTarget(name: "PayloadTests", dependencies: ["FlatCache", "SeededRandom"]),
    ]
)

// Takes long to build, and uses one thread. `.ci/long` sets the variable.
if Context.environment["SANITIZERS_REFERENCES"] != nil {
    package.targets.append(.testTarget(name: "ReferenceTests", dependencies: ["FlatCache"]))
}

for target in package.targets {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
