// swift-tools-version: 6.1
import PackageDescription

// The library and its tests alone, so that a sanitizer doesn't build the generator. All folders are symbolic links.

// Planted faults test the tests, the commit protocol is a model of its own, and the memory would be that of the sanitizer.
var left = ["PlantedFaults", "Commits/CommitProtocol+Exploration.swift", "Commits/CommitProtocol+Steps.swift"]
left += ["Commits/CommitProtocol.swift", "Commits/CommitProtocolTests.swift", "Derived/DerivedMemoryTests.swift"]
left += ["Fetching/FetchMemoryTests.swift", "MemoryTests.swift", "Storage/SlotMemoryTests.swift"]

// `.ci/run` names the sanitizer, and has only the tests in which that can find something. `.ci/long` has all.
let isFull = Context.environment["FLATCACHE_FULL"] != nil
var payloads: [String]?
switch isFull ? nil : Context.environment["SANITIZER"] {
case "thread":
    // Code that one thread runs.
    left += ["Model", "SourceCodeTests.swift"]
    left += ["InverseTests", "InconsistencyTests", "RandomInverseTests"].map { "Inverses/\($0).swift" }
    left += ["DeleteRuleTests", "RandomDeleteRuleTests"].map { "DeleteRules/\($0).swift" }
    left += ["CachedListIDsTests", "ListEntityTests", "ListMembersTests"].map { "Lists/\($0).swift" }
    left += ["CostTests", "ObservingOneKeyTests"].map { "Observation/\($0).swift" }
    left += ["FlatCacheKeyTests", "LyingKeyTests", "StringHashTests"].map { "Storage/\($0).swift" }
    left += ["TransactionObservationTests", "WritingComparisonTests"].map { "Transactions/\($0).swift" }
    left += ["HistoryCheckerTests", "ObserverLogTests"].map { "Histories/\($0).swift" }
    left += [
        "ContainsConditionTests", "ExactSumTests", "HostileConditionTests", "InsertionOrderTests", "QueryHookTests",
        "QueryResultTests", "RandomQueryTests", "RandomSectionTests",
    ].map { "Queries/\($0).swift" }
    left += ["Derived/DerivedCostTests.swift", "Merging/MergeTests.swift"]
    payloads = ["ConcurrentPayloadTests", "OwnWriteTests", "PayloadFetchTests"]
case "address":
    // Code that only counts or only compares.
    left += ["Model", "SourceCodeTests.swift", "Observation/CostTests.swift", "Derived/DerivedCostTests.swift"]
    left += ["HistoryCheckerTests", "HistoryTests", "ObserverLogTests"].map { "Histories/\($0).swift" }
    left += ["ExactSumTests", "QueryHookTests"].map { "Queries/\($0).swift" }
    payloads = [
        "ConcurrentPayloadTests", "OwnWriteTests", "PayloadFetchTests", "HeldEntityTests", "IncompletePayloadTests",
        "PatchStoringTests", "PatchTests", "PayloadListTests", "PayloadMergeTests", "PayloadTests",
    ]
default: break
}
// The codec, the checks for other stores, and what crashes and damage leave, all of which one thread runs.
let storesLeft =
    ["Conformance", "Records"]
    + ["CRC32C", "Crash", "Damage", "FileConformance", "GroupIndex"].map { "Files/\($0)Tests.swift" }
payloads? += ["JSONAPIModels", "PatchModels", "PayloadModels"]

let package = Package(
    name: "Sanitizers",
    platforms: [.macOS(.v15)],
    targets: [
        .target(name: "FlatCache"),
        .target(name: "SeededRandom"),
        .target(name: "Homonyms", dependencies: ["FlatCache"]),
        .testTarget(name: "FlatCacheTests", dependencies: ["FlatCache", "Homonyms", "SeededRandom"], exclude: left),
        .target(name: "FlatCacheStore", dependencies: ["FlatCache"]),
        .testTarget(
            name: "FlatCacheStoreTests",
            dependencies: ["FlatCacheStore", "SeededRandom"],
            exclude: storesLeft
        ),
        .testTarget(
            name: "PayloadTests",
            dependencies: ["FlatCache", "SeededRandom"],
            sources: payloads?.map { "\($0).swift" }
        ),
    ]
)

// Takes long to build, and uses one thread.
if isFull {
    package.targets.append(.testTarget(name: "ReferenceTests", dependencies: ["FlatCache"]))
}

for target in package.targets {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
