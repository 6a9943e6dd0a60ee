// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "FlatCache",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "FlatCache", targets: ["FlatCache"]),
        .library(name: "FlatCacheStore", targets: ["FlatCacheStore"]),
        .library(name: "FlatCacheStoreTesting", targets: ["FlatCacheStoreTesting"]),
        .plugin(name: "FlatCachePlugin", targets: ["FlatCachePlugin"]),
        .plugin(name: "FlatCacheCommand", targets: ["FlatCacheCommand"]),
        .plugin(name: "FlatCacheRecord", targets: ["FlatCacheRecord"]),
        .executable(name: "flatcache", targets: ["FlatCacheProgram"]),
        // The same program for the plugins: for builds with one command, and for people with all commands on sources. All
        // build systems find a tool only if its target has one product of the same name. A target named `flatcache` would
        // share its folders with `FlatCache` where case is ignored.
        .executable(name: "FlatCacheTool", targets: ["FlatCacheTool"]),
        .executable(name: "FlatCacheReportTool", targets: ["FlatCacheReportTool"]),
    ],
    targets: [
        // The library for apps: set → storage → commit → observers → handles.
        .target(name: "FlatCache"),
        // What keeps its entities on disk: changes → records → store. Apps that need none don't link it.
        .target(
            name: "FlatCacheStore",
            dependencies: ["FlatCache"],
            resources: [.copy("PrivacyInfo.xcprivacy")]
        ),
        // Checks for the tests of stores that others write.
        .target(name: "FlatCacheStoreTesting", dependencies: ["FlatCacheStore"]),

        // The generator that runs during a build: source text → scanner → model → template → Swift.
        .target(name: "RelationshipTemplates", path: "Templates", exclude: ["README.md"]),
        .target(name: "RelationshipGenerator"),
        .target(name: "FlatCacheCommands", dependencies: ["RelationshipGenerator", "RelationshipTemplates"]),
        .executableTarget(name: "FlatCacheTool", dependencies: ["FlatCacheCommands"]),
        .plugin(name: "FlatCachePlugin", capability: .buildTool(), dependencies: ["FlatCacheTool"]),

        // The commands for people. The tool of the build plugin doesn't link them, so that builds don't compile them.
        .target(name: "FlatCacheReports", dependencies: ["FlatCacheCommands", "RelationshipGenerator"]),
        .executableTarget(name: "FlatCacheReportTool", dependencies: ["FlatCacheCommands", "FlatCacheReports"]),
        // The command that reads stores. The tools of the plugins don't link it, so that they don't compile stores.
        .target(
            name: "FlatCacheInspection",
            dependencies: ["FlatCacheStore", "FlatCacheCommands", "FlatCacheReports"]
        ),
        .executableTarget(
            name: "FlatCacheProgram",
            dependencies: ["FlatCacheCommands", "FlatCacheReports", "FlatCacheInspection"]
        ),

        // The commands for people and CI. Only the second needs a permission, and a permission belongs to a plugin.
        .plugin(
            name: "FlatCacheCommand",
            capability: .command(
                intent: .custom(
                    verb: "flatcache",
                    description: "Reviews, explains or draws the relationships: flatcache review|explain|graph"
                )
            ),
            dependencies: ["FlatCacheReportTool"]
        ),
        .plugin(
            name: "FlatCacheRecord",
            capability: .command(
                intent: .custom(
                    verb: "flatcache-record",
                    description: "Writes the copies of generated accessors that reviewers read"
                ),
                permissions: [
                    .writeToPackageDirectory(reason: "writes Generated/TARGET+Relationships.swift for reviewers")
                ]
            ),
            dependencies: ["FlatCacheReportTool"]
        ),

        // Tests mirror the sources. PluginTests uses the plugin as a user's target does.
        .target(name: "SeededRandom", path: "Tests/SeededRandom"),
        // Threads that tests may block.
        .target(name: "TestThreads", path: "Tests/TestThreads"),
        .target(name: "Homonyms", dependencies: ["FlatCache"], path: "Tests/Homonyms"),
        // What takes long to build or to run is in the folders that are excluded, for the package Tests/Thorough.
        .testTarget(
            name: "FlatCacheTests",
            dependencies: ["FlatCache", "Homonyms", "SeededRandom", "TestThreads"],
            exclude: ["Thorough"]
        ),
        .testTarget(
            name: "FlatCacheStoreTests",
            dependencies: ["FlatCacheStore", "FlatCacheStoreTesting", "SeededRandom", "TestThreads"],
            exclude: ["Thorough"]
        ),
        .testTarget(
            name: "PayloadTests",
            dependencies: ["FlatCache", "SeededRandom", "TestThreads"],
            exclude: ["Thorough"]
        ),
        .testTarget(
            name: "RelationshipGeneratorTests",
            dependencies: ["FlatCacheReports", "RelationshipGenerator", "RelationshipTemplates", "SeededRandom"]
        ),
        // Runs the program. Linking it would add it twice, because PluginTests uses the plugin.
        .testTarget(
            name: "FlatCacheCommandsTests",
            dependencies: [
                "FlatCache", "FlatCacheStore", "FlatCacheReports", "RelationshipGenerator", "SeededRandom",
                "TestThreads",
            ]
        ),
        // Models with their expected accessors, which RelationshipGeneratorTests compares.
        .testTarget(name: "ReferenceTests", dependencies: ["FlatCache", "TestThreads"]),
        // The same models with only the getters.
        .testTarget(name: "GetterTests", dependencies: ["FlatCache"]),
        .testTarget(name: "PluginTests", dependencies: ["FlatCache"], plugins: ["FlatCachePlugin"]),
    ]
)

for target in package.targets where target.type != .plugin {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
