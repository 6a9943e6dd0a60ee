// swift-tools-version: 6.1
import PackageDescription

/// Whether GRDB is compared; CI leaves it out, because it takes longer to build than all else.
let hasDatabase = Context.environment["BENCHMARKS_WITHOUT_GRDB"] == nil

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "FlatCache", path: "..")
    ],
    targets: [
        // Arguments in, samples → figures → table, JSON lines and plot out. Knows nothing of caches.
        .target(name: "BenchmarkReport"),
        .testTarget(name: "BenchmarkReportTests", dependencies: ["BenchmarkReport"]),

        // A symbolic link to the generator of random numbers that the tests use.
        .target(name: "SeededRandom"),

        // How many bytes are allocated: the C library of Linux tells it in a header that Swift doesn't import.
        .target(name: "AllocatedMemory"),

        // Measures from another module, as an app uses the library: what isn't inlinable shows.
        .executableTarget(
            name: "flatcache-benchmark",
            dependencies: [
                "AllocatedMemory",
                "BenchmarkReport",
                "SeededRandom",
                .product(name: "FlatCache", package: "FlatCache"),
                .product(name: "FlatCacheStore", package: "FlatCache"),
            ] + (hasDatabase ? [.product(name: "GRDB", package: "GRDB.swift")] : []),
            swiftSettings: hasDatabase ? [.define("DATABASE")] : [],
            plugins: [.plugin(name: "FlatCachePlugin", package: "FlatCache")]
        ),

        // How long readers wait beside operations on whole types, and what must not grow too fast.
        .executableTarget(
            name: "flatcache-waits",
            dependencies: ["AllocatedMemory", .product(name: "FlatCache", package: "FlatCache")]
        ),

        // Entities streamed through limits, in flat memory.
        .executableTarget(
            name: "flatcache-stream",
            dependencies: [
                "AllocatedMemory",
                .product(name: "FlatCache", package: "FlatCache"),
                .product(name: "FlatCacheStore", package: "FlatCache"),
            ]
        ),

        // Does a fixed amount of work, for the script `instructions` to count.
        .executableTarget(
            name: "flatcache-instructions",
            dependencies: [
                .product(name: "FlatCache", package: "FlatCache"),
                .product(name: "FlatCacheStore", package: "FlatCache"),
            ],
            plugins: [.plugin(name: "FlatCachePlugin", package: "FlatCache")]
        ),
    ]
)

if hasDatabase {
    package.dependencies.append(.package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"))
}

for target in package.targets where target.type != .plugin && target.name != "AllocatedMemory" {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("MemberImportVisibility"),
        ]
}
