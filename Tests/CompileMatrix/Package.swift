// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "CompileMatrix",
    platforms: [.macOS(.v15)],
    targets: [
        // A symbolic link to the sources, so that models go through the generator without a program being started.
        .target(name: "RelationshipGenerator"),
        .target(name: "SeededRandom"),
        .executableTarget(name: "RandomModels", dependencies: ["RelationshipGenerator", "SeededRandom"]),
    ]
)

for target in package.targets {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
