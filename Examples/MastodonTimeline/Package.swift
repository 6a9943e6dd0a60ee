// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "MastodonTimeline",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "timeline", targets: ["timeline"])
    ],
    dependencies: [
        // An app of yours names the repository's address and a version here instead of a path.
        .package(name: "FlatCache", path: "../..")
    ],
    targets: [
        // The models are here, so the plugin is too: it writes their accessors from the `// relationship:` comments.
        .target(
            name: "MastodonTimeline",
            dependencies: [
                .product(name: "FlatCache", package: "FlatCache"),
                .product(name: "FlatCacheStore", package: "FlatCache"),
            ],
            resources: [.copy("Resources/sample-timeline.json")],
            plugins: [.plugin(name: "FlatCachePlugin", package: "FlatCache")]
        ),
        .executableTarget(name: "timeline", dependencies: ["MastodonTimeline"]),
        .testTarget(
            name: "MastodonTimelineTests",
            dependencies: [
                "MastodonTimeline",
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
