// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "GitHubIssues",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "issues", targets: ["issues"]),
        .executable(name: "report", targets: ["report"]),
    ],
    dependencies: [
        // An app of yours names the repository's address and a version here instead of a path.
        .package(name: "FlatCache", path: "../..")
    ],
    targets: [
        // The models are here, so the plugin is too: it writes the tables that payloads read, and the accessors.
        .target(
            name: "GitHubIssues",
            dependencies: [.product(name: "FlatCache", package: "FlatCache")],
            plugins: [.plugin(name: "FlatCachePlugin", package: "FlatCache")]
        ),
        .executableTarget(name: "issues", dependencies: ["GitHubIssues"]),
        // The responses of the REST API as they are, in seven models.
        .executableTarget(
            name: "report",
            dependencies: [.product(name: "FlatCache", package: "FlatCache")],
            plugins: [.plugin(name: "FlatCachePlugin", package: "FlatCache")]
        ),
        .testTarget(
            name: "GitHubIssuesTests",
            dependencies: ["GitHubIssues", .product(name: "FlatCache", package: "FlatCache")]
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
