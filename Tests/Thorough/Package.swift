// swift-tools-version: 6.1
import Foundation
import PackageDescription

// The tests that take long to build or to run, which `swift test` in the root leaves out, and the tests for the sanitizers.
// All folders are symbolic links. The root's tests and these share the folders `Support`.

/// Which tests are built: those that the root leaves out, those of threads and of what callbacks release, or all.
enum Selection: String {
    case thorough
    case races
    case all
}

let name = Context.environment["FLATCACHE_TESTS"] ?? Selection.thorough.rawValue
guard let selection = Selection(rawValue: name) else {
    fatalError("FLATCACHE_TESTS is '\(name)'; it can be thorough, races or all.")
}

/// The files of a folder, without their extension.
func files(_ folder: String, _ names: String...) -> [String] { names.map { "\(folder)/\($0).swift" } }

/// The tests of threads and of what callbacks release, which run under a sanitizer.
var races = ["ConcurrencyTests.swift", "DeleteRules", "Inverses"]
races += files("Fetching", "FetchCancellationTests", "FetchIsolationTests")
races += files("Mutations", "TemporaryIdentifierTests")
races += files("Observation", "SequenceTests", "SlowConsumerTests", "SubscriptionEndTests", "TrackedReadTests")
races += files("Queries", "QueryTests", "QueryTrackingTests")
races += files("Storage", "GrowthTests")
races += files("Indexes", "IndexTests")
races += files("Transactions", "ProgressTests", "ReadTests")
races += ["DeleteRules", "Histories", "Inverses", "Races", "Stress"].map { "Thorough/\($0)" }
races += files("Thorough/Derived", "DerivedReleaseTests")
races += files("Thorough/Fetching", "FetchErrorLifeTests", "FetchScript", "FetchUserCodeTests")
races += files("Thorough/Indexes", "IndexRaceTests")
races += files("Thorough/Limits", "LimitRaceTests")
races += files("Thorough/Merging", "MergingRaces")
races += files("Thorough/Mutations", "IdentifierThreadTests", "MovedObserverRaceTests", "MutationThreadTests")
races += files("Thorough/Mutations", "RandomServerTests", "ReplacedChapterTests", "ReplacementRaceTests")
races += files("Thorough/Mutations", "ReusedIdentifierThreadTests", "TruthServer")
races += files("Thorough/Observation", "TurnTests")
races += files("Thorough/Queries", "ManyTrackedQueryTests")
races += files("Thorough/Storage", "LyingKeyTests", "NosyIdentifierTests", "SlotIdentityTests", "StringHashTests")

let storeRaces =
    files("Files", "SharingTests", "WriteTurnTests")
    + files("Thorough/Caches", "StorableMutationThreadTests")
    + files("Thorough/Files", "CompactionTests")

// Planted faults test the tests, the commit protocol is a model of its own, and the memory would be that of a sanitizer.
var withoutCache = ["Thorough/PlantedFaults", "Thorough/MemoryTests.swift"]
withoutCache += files("Thorough/Commits", "CommitProtocol+Exploration", "CommitProtocol+Steps", "CommitProtocol")
withoutCache += files("Thorough/Commits", "CommitProtocolTests")
withoutCache += files("Thorough/Derived", "DerivedMemoryTests")
withoutCache += files("Thorough/Fetching", "FetchMemoryTests")
withoutCache += files("Thorough/Storage", "SlotMemoryTests")

let payloadRaces = files("Thorough", "ConcurrentPayloadTests", "OwnWriteTests")

/// A target with tests of the root's target of the same name.
///
/// - Parameters:
///   - races: The tests of threads and of what callbacks release.
///   - left: The tests that aren't among all.
func tests(
    _ name: String,
    races: [String],
    without left: [String] = [],
    _ dependencies: [Target.Dependency]
) -> Target {
    // What isn't a source must be excluded.
    let folder = "\(Context.packageDirectory)/\(name)"
    let shared = ["Support", "Thorough"]
    let others = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { !shared.contains($0) }
    // In the build folder of the root there is a target of that name.
    return .testTarget(
        name: selection == .thorough ? "Thorough\(name)" : name,
        dependencies: dependencies + ["SeededRandom", "TestThreads"],
        path: name,
        exclude: selection == .thorough ? others : selection == .all ? left : [],
        sources: selection == .races ? ["Support"] + races : nil
    )
}

let cache = Target.Dependency.product(name: "FlatCache", package: "FlatCache")
let store = Target.Dependency.product(name: "FlatCacheStore", package: "FlatCache")
let storeTesting = Target.Dependency.product(name: "FlatCacheStoreTesting", package: "FlatCache")

let package = Package(
    name: "Thorough",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "FlatCache", path: "../..")
    ],
    targets: [
        .target(name: "SeededRandom", path: "SeededRandom"),
        .target(name: "TestThreads", path: "TestThreads"),
        .target(name: "Homonyms", dependencies: [cache], path: "Homonyms"),
        tests("FlatCacheTests", races: races, without: withoutCache, [cache, "Homonyms"]),
        tests("FlatCacheStoreTests", races: storeRaces, [cache, store, storeTesting]),
        tests("PayloadTests", races: payloadRaces, [cache]),
    ]
)

// Takes long to build, and uses one thread.
if selection == .all {
    package.targets.append(
        .testTarget(name: "ReferenceTests", dependencies: [cache, "TestThreads"], path: "ReferenceTests")
    )
}

for target in package.targets {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
