// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "GRDBStore",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "GRDBStore", targets: ["GRDBStore"])
    ],
    dependencies: [
        // An app of yours names the repository's address and a version here instead of a path.
        .package(name: "FlatCache", path: "../.."),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        .target(
            name: "GRDBStore",
            dependencies: [
                .product(name: "FlatCacheStore", package: "FlatCache"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ]
        ),
        // Compares the store with FileStore.
        .executableTarget(
            name: "measure",
            dependencies: ["GRDBStore", .product(name: "FlatCacheStore", package: "FlatCache")]
        ),
        .testTarget(
            name: "GRDBStoreTests",
            dependencies: [
                "GRDBStore",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "FlatCache", package: "FlatCache"),
                .product(name: "FlatCacheStore", package: "FlatCache"),
                .product(name: "FlatCacheStoreTesting", package: "FlatCache"),
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
