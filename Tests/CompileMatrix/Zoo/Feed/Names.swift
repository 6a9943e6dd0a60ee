// swift-format-ignore-file: AlwaysUseLowerCamelCase

import FlatCache

/// Names that are keywords, and names in other scripts.
struct Größe: Cachable {
    let id: Int
    // relationship: Größe
    var überID: Int
    // relationship: Größe, name: 大きさ
    var elternID: Int?
    // relationship: Größe
    var classID: Int
    // relationship: `enum`
    var caseID: Int?
    // relationship: Größe, name: `protocol`
    let `inIDs`: [Int]
    // relationship: Größe, name: `default`
    var defaultID: Int
    // relationship: Größe, name: related
    var relatedID: Int
    // relationship: Größe, name: policy
    var policyID: Int
    // relationship: Größe, name: identifiers
    var identifiersIDs: Set<Int>
    // relationship: Größe, name: 🧩
    var emojiIDs: [Int]
    // relationship: Größe, name: isolation
    var `repeat`: Int
    var author_id: Int?  // relationship: Größe
    // relationship: Größe
    var comment_ids: [Int]
}

struct `enum`: Cachable {
    let id: Int
    // relationship: `enum`, name: `func`
    var `let`: Int
}

/// No entity: nothing of handles is in the way.
struct Holder {
    // relationship: Größe, name: cache
    var cachesID: Int?
    // relationship: Größe, name: value
    let valueIDs: [Int]
}
