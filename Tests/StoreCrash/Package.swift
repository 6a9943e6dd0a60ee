// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "StoreCrash",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "FlatCache", path: "../..")
    ],
    targets: [
        // A symbolic link, as in ScannerFuzz.
        .target(name: "SeededRandom"),
        // Processes that use a store, are killed, and check what is in it: steps → cache and book → comparison.
        .executableTarget(
            name: "store-crash",
            dependencies: [
                "SeededRandom",
                .product(name: "FlatCache", package: "FlatCache"),
                .product(name: "FlatCacheStore", package: "FlatCache"),
            ]
        ),
    ]
)

for target in package.targets {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
