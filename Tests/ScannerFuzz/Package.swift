// swift-tools-version: 6.1
import PackageDescription

/// Lets libFuzzer see which branches an input takes, and the address sanitizer which bytes it reads.
///
/// Set where the toolchain has libFuzzer. Both fuzzers then share what is built.
let isForCoverage = Context.environment["SCANNER_FUZZ_COVERAGE"] != nil
let instrumentation = isForCoverage ? ["-sanitize=fuzzer,address"] : []

let package = Package(
    name: "ScannerFuzz",
    platforms: [.macOS(.v15)],
    targets: [
        // Symbolic links to the sources of the generator, which so are of this package and can be tested from inside.
        .target(name: "RelationshipTemplates", exclude: ["README.md"]),
        .target(name: "RelationshipGenerator"),

        // What must hold of any bytes.
        .target(name: "ScannerInvariants", dependencies: ["RelationshipGenerator", "RelationshipTemplates"]),

        // Swift files, changed at random → the whole way from scanner to output, which the compiler must be able to read.
        .target(name: "SeededRandom"),
        .executableTarget(
            name: "mutation-fuzzer",
            dependencies: ["ScannerInvariants", "SeededRandom"],
            swiftSettings: [.unsafeFlags(["-parse-as-library"])],
            // Without libFuzzer, which brings a `main` of its own.
            linkerSettings: isForCoverage ? [.unsafeFlags(["-sanitize=address"])] : []
        ),
    ]
)

if isForCoverage {
    // Bytes that libFuzzer makes → the whole way from scanner to output.
    package.targets.append(
        .executableTarget(
            name: "coverage-fuzzer",
            dependencies: ["ScannerInvariants"],
            swiftSettings: [.unsafeFlags(["-parse-as-library"])],
            linkerSettings: [.unsafeFlags(instrumentation)]
        )
    )
}

for target in package.targets {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .unsafeFlags(["-enable-testing"] + instrumentation),
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("MemberImportVisibility"),
        ]
}
