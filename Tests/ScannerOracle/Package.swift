// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "ScannerOracle",
    platforms: [.macOS(.v15)],
    targets: [
        // A symbolic link to the sources of the generator, which so are of this package and can be tested from inside.
        .target(name: "RelationshipGenerator", swiftSettings: [.unsafeFlags(["-enable-testing"])]),

        .target(name: "SeededRandom"),

        // Files in, what scanner and swift-syntax say of each → the differences.
        .executableTarget(
            name: "ScannerOracle",
            dependencies: ["RelationshipGenerator", "SeededRandom"]
        ),
    ]
)

for target in package.targets {
    var settings = target.swiftSettings ?? []
    settings += [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
    target.swiftSettings = settings
}
