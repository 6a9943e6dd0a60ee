import SeededRandom

/// The options with which a target is compiled.
struct CompilerMode {
    var options: [String]
    /// Whether an import without an access level is internal.
    var importsAreInternal: Bool
    /// Whether declarations belong to the main actor that don't say otherwise.
    var isMainActor: Bool { options.contains("MainActor") }
    /// Whether `FIRST_BRANCH` is defined.
    var isFirstBranch: Bool { options.contains("FIRST_BRANCH") }

    static func random(_ numbers: inout SeededGenerator) -> CompilerMode {
        var options = ["-swift-version", numbers.pick("5", "6")]
        let features = [
            "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault",
            "InferIsolatedConformances",
        ]
        var importsAreInternal = false
        for feature in features where numbers.once(in: 2) {
            options += ["-enable-upcoming-feature", feature]
            if feature == "InternalImportsByDefault" { importsAreInternal = true }
        }
        if numbers.once(in: 2) { options += ["-default-isolation", "MainActor"] }
        if numbers.once(in: 4) { options += ["-strict-memory-safety"] }
        if numbers.once(in: 2) { options += ["-D", "FIRST_BRANCH"] }
        return CompilerMode(options: options, importsAreInternal: importsAreInternal)
    }
}
