import FlatCache

/// Properties and types that are there under conditions.
struct Draft: Cachable {
    let id: String
    #if FIRST_BRANCH
    // relationship: Item
    var subjectID: Int
    #else
    // relationship: Item
    let subjectID: Int?
    #endif
    #if os(Linux) || os(macOS)
    #if FIRST_BRANCH && !NEVER
    // relationship: Draft
    var parentID: String?
    #elseif NEVER
    // relationship: Nothing.AtAll
    var nothingID: String?
    #else
    // relationship: Revision
    var revisionIDs: [Int] = []
    #endif
    #endif
}

#if FIRST_BRANCH
struct Revision: Cachable {
    let id: Int
    // relationship: Draft
    var draftID: String
}
#else
struct Revision: Cachable, Equatable {
    let id: Int
    // relationship: Draft
    var draftID: String?
}
#endif

struct Linked: Cachable {
    let id: String
    #if canImport(
        FlatCache)
    // relationship: Draft
    var draftID: String
    #endif
}

#if NEVER
import Nothing

struct Absent: Cachable {
    let id: Int
    // relationship: Item
    var itemID: Int
}
#endif
