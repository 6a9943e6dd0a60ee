// swift-tools-version: 6.1
import PackageDescription

// The library and its tests alone, so that a sanitizer doesn't build the generator. All folders are symbolic links.

/// Whether all tests are built, for `.ci/long`: `.ci/run` has those of threads, of slots and of what callbacks release.
let isFull = Context.environment["FLATCACHE_FULL"] != nil

// Planted faults test the tests, the commit protocol is a model of its own, and the memory would be that of the sanitizer.
var left = ["PlantedFaults", "Commits/CommitProtocol+Exploration.swift", "Commits/CommitProtocol+Steps.swift"]
left += ["Commits/CommitProtocol.swift", "Commits/CommitProtocolTests.swift", "Derived/DerivedMemoryTests.swift"]
left += ["Fetching/FetchMemoryTests.swift", "MemoryTests.swift", "Storage/SlotMemoryTests.swift"]

/// The files of a folder, without their extension.
func files(_ folder: String, _ names: String...) -> [String] { names.map { "\(folder)/\($0).swift" } }

var tests = ["ConcurrencyTests.swift", "DeleteRules", "Histories", "Inverses", "Races", "Stress", "Support"]
tests += files("Derived", "DerivedReleaseTests")
tests += files("Fetching", "FetchCancellationTests", "FetchErrorLifeTests", "FetchIsolationTests", "FetchScript")
tests += files("Fetching", "FetchUserCodeTests")
tests += files("Indexes", "IndexRaceTests", "IndexTests")
tests += files("Limits", "LimitRaceTests", "LimitedModels")
tests += files("Merging", "MergingRaces")
tests += files("Mutations", "IdentifierModels", "MutationModels", "NoteModels", "ReplacedChapterTests")
tests += files("Mutations", "TemporaryIdentifierTests")
tests += files(
    "Mutations",
    "IdentifierThreadTests",
    "MovedObserverRaceTests",
    "MutationThreadTests",
    "ReplacementRaceTests"
)
tests += files("Mutations", "RandomServerTests", "ReusedIdentifierThreadTests", "TruthServer")
tests += files(
    "Observation",
    "SequenceTests",
    "SlowConsumerTests",
    "SubscriptionEndTests",
    "TrackedReadTests",
    "TurnTests"
)
tests += files("Queries", "QuerySupport", "QueryTests", "QueryTrackingTests")
tests += files("Storage", "GrowthTests", "LyingKeyTests", "NosyIdentifierTests", "SlotIdentityTests", "StringHashTests")
tests += files("Transactions", "ProgressTests", "ReadTests")

let storeTests =
    files("Caches", "MemoryStore", "Models", "StorableMutationModels", "StorableMutationThreadTests")
    + files("Files", "CompactionTests", "Inode", "SharingTests", "SimulatedFileSystem", "Support", "WriteTurnTests")

let payloadTests = ["ConcurrentPayloadTests", "OwnWriteTests", "JSONAPIModels", "PatchModels", "PayloadModels"].map {
    "\($0).swift"
}

let package = Package(
    name: "Sanitizers",
    platforms: [.macOS(.v15)],
    targets: [
        .target(name: "FlatCache"),
        .target(name: "SeededRandom"),
        .target(name: "TestThreads"),
        .target(name: "Homonyms", dependencies: ["FlatCache"]),
        .testTarget(
            name: "FlatCacheTests",
            dependencies: ["FlatCache", "Homonyms", "SeededRandom", "TestThreads"],
            exclude: isFull ? left : [],
            sources: isFull ? nil : tests
        ),
        .target(name: "FlatCacheStore", dependencies: ["FlatCache"]),
        .target(name: "FlatCacheStoreTesting", dependencies: ["FlatCacheStore"]),
        .testTarget(
            name: "FlatCacheStoreTests",
            dependencies: ["FlatCacheStore", "FlatCacheStoreTesting", "SeededRandom", "TestThreads"],
            sources: isFull ? nil : storeTests
        ),
        .testTarget(
            name: "PayloadTests",
            dependencies: ["FlatCache", "SeededRandom", "TestThreads"],
            sources: isFull ? nil : payloadTests
        ),
    ]
)

// Takes long to build, and uses one thread.
if isFull {
    package.targets.append(.testTarget(name: "ReferenceTests", dependencies: ["FlatCache", "TestThreads"]))
}

for target in package.targets {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
