import FlatCache

/// Types with the names of standard ones.
enum Office {
    struct Task: Cachable {
        let id: Int
        // relationship: Task
        var subtaskIDs: Swift.Set<Int> = []
        // relationship: Result
        var resultID: Int?
    }

    struct Result: Cachable {
        let id: Int
        // relationship: Office.Task
        let taskID: Task.ID
        // relationship: Set
        let setIDs: [Int]
    }

    struct Set: Cachable {
        let id: Int
        // relationship: Set
        let setIDs: Swift.Set<Int>
        // relationship: Array
        var arrayIDs: Swift.Array<Int>
    }

    struct Array: Cachable {
        let id: Int
        // relationship: Set
        var setIDs: [Int?]
    }
}

struct Character: Cachable {
    let id: Int
    // relationship: Character
    var characterIDs: [Character.ID]
    // relationship: Error, name: mistake
    var errorID: Int
}

struct Error: Cachable {
    let id: Int
    // relationship: Sequence
    var sequenceID: Int?
}

struct Sequence: Cachable {
    let id: Int
    // relationship: Sequence, name: next
    var nextID: Int?
}

final class Catalogue: Sendable {
    enum Section {
        /// Nested in an enumeration in a class, with a namesake inside.
        struct Entry: Cachable {
            let id: Int
            // relationship: Entry
            let entryIDs: [Int]
            // relationship: Entry.Entry, name: detail
            let detailID: Int?

            struct Entry: Cachable {
                let id: Int
                // relationship: Catalogue.Section.Entry
                let entryID: Int
            }
        }
    }
}
