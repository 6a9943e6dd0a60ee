import FlatCache

/// Raw identifiers, which are Swift since 6.2.
struct Release: Cachable {
    let id: Int
    // relationship: Release, name: earlier
    var `the one before it`: Int?
    // relationship: Release, name: `later`
    var `those // behind { it`: [Int]
}
