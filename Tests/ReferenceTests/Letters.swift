import FlatCache

/// A letter, which no other tests than those of several caches store.
struct Letter: Cachable {
    let id: Int
    // relationship: Sender, backlink: letters
    var senderID: Int = 1
    // relationship: Sender
    var readerID: Int?
    // relationship: Letter
    var enclosureIDs: [Int] = []
    // relationship: Letter
    var copyIDs: Set<Int>?
    // relationship: Sender
    var signerIDs: [String: Int] = [:]
    // relationship: Sender
    var rowIDs: [[Int]] = []
    // relationship: Letter
    let answeredID: Int?
}

struct Sender: Cachable {
    let id: Int
}
