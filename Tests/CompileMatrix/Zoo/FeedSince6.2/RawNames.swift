import FlatCache

/// Raw identifiers, which are Swift since 6.2.
struct Release: Cachable {
    let id: Int
    // relationship: Release, name: earlier
    var `the one before it`: Int?
    // relationship: Release, name: `later`
    var `those // behind { it`: [Int]
    // relationship: Release
    var `1st release ID`: Int? = nil
    // relationship: Release
    let `the "other" release IDs`: [Int] = []
    // relationship: `Blog Post`
    var `2ndPostID`: Int = 0
    // relationship: `Blog Post`
    var `x-y ID`: Int = 0
}

struct `Blog Post`: Cachable {
    let id: Int
    // relationship: `Blog Post`
    let parentID: Int?
    // relationship: `Post v1.0`, name: `first version`
    var versionID: `Post v1.0`.ID = 0
}

struct `Post v1.0`: Cachable {
    let id: Int
    // relationship: `A::B`
    var innerIDs: [`A::B`.ID] = []
    struct `A::B`: Cachable {
        let id: Int
        // relationship: `Post v1.0`
        var outerID: Int
    }
}
