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

/// Types whose names members, local names of the accessors, generic parameters and associated types have too.
nonisolated struct Plan: Cachable, Swift.Sequence, Planned {
    let id: Int
    // relationship: Task, name: Task
    var taskIDs: Swift.Set<Int>
    // relationship: Task, name: willSet
    var nextTaskID: Int?
    // relationship: cache
    var entryID: Int
    // relationship: Element
    let elementID: Int
    // relationship: Feed.Step
    var stepIDs: [Int]

    let note: String

    func makeIterator() -> IndexingIterator<[String]> { [note].makeIterator() }
}

nonisolated protocol Planned {
    associatedtype Step
    var note: Step { get }
}

struct Stage<Task: Sendable>: Cachable {
    let id: Int
    // relationship: Feed.Task, name: task
    var taskID: Int
}

struct Task: Cachable {
    let id: Int
    // relationship: Task
    var didSetID: Int
}

struct Element: Cachable { let id: Int }
struct Step: Cachable { let id: Int }
struct cache: Cachable {
    let id: Int
    // relationship: cache, name: next
    var nextID: Int
}

/// No entity, so that nothing of handles is in the way.
struct Locals {
    // relationship: Step, name: missing
    var stepIDs: [Int]
    // relationship: cache
    var cacheIDs: [Int]
    // relationship: cache
    var cacheID: Int?
}
