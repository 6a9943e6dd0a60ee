import FlatCache

/// Module selectors, which are Swift since 6.3.
struct Edition: FlatCache::Cachable {
    let id: Swift::Int
    // relationship: Feed::Edition
    var previousID: Swift::Optional<Swift::Int>
    // relationship: Edition
    var originalID: Feed::Edition.ID
    // relationship: Edition
    var otherIDs: [Swift::Int]; var title = ""
}

extension Feed::Edition {
    struct Page: Cachable {
        let id: String
        // relationship: Feed::Edition
        var editionID: Int
    }
}
