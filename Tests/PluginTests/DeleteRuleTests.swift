import FlatCache
import Testing

/// A project that is removed with its owner.
struct Project: Cachable, Equatable {
    let id: Int
    // relationship: Member, backlink: projects, delete: cascade
    let ownerID: Int
    // relationship: Member, delete: nullify
    var reviewerID: Member.ID?
    // relationship: Member, delete: keep
    var founderID: Int?
}

/// A task of a project, of which it can be a part.
struct ProjectTask: Cachable, Equatable {
    let id: String
    // relationship: Project, delete: cascade
    var projectID: Int
    // relationship: ProjectTask, name: whole, delete: cascade
    var wholeID: String?
    // relationship: Member, inverse: taskIDs, delete: nullify
    var assigneeIDs: [Int] = []
    // relationship: Member, name: seats, delete: nullify
    var seatIDs: [[Int]] = []
}

struct Member: Cachable, Equatable {
    let id: Int
    // relationship: ProjectTask, delete: nullify
    var taskIDs: Set<String>? = []
}

@Suite("Delete rules that go through the build plugin")
struct DeleteRuleTests {
    private func filledCache() -> FlatCache {
        let cache = FlatCache()
        cache.set(contentsOf: [Member(id: 1, taskIDs: ["a", "c"]), Member(id: 2)])
        cache.set(contentsOf: [
            Project(id: 1, ownerID: 1), Project(id: 2, ownerID: 2, reviewerID: 1, founderID: 1),
        ])
        cache.set(contentsOf: [
            ProjectTask(id: "a", projectID: 1), ProjectTask(id: "b", projectID: 2, wholeID: "a"),
            ProjectTask(id: "c", projectID: 2, assigneeIDs: [1, 2], seatIDs: [[1], [2, 1]]),
        ])
        return cache
    }

    @Test("Removing an entity removes its owners or clears their identifiers, in the same commit")
    func removal() {
        let cache = filledCache()
        cache.remove(Member.self, id: 1)
        #expect(cache.allValues(of: Project.self, inOrder: true) == [Project(id: 2, ownerID: 2, founderID: 1)])
        let task = ProjectTask(id: "c", projectID: 2, assigneeIDs: [2], seatIDs: [[], [2]])
        #expect(cache.allValues(of: ProjectTask.self) == [task])
    }

    @Test("A rule also clears the elements of a collection")
    func elements() {
        let cache = filledCache()
        cache.remove(ProjectTask.self, ids: ["c"])
        #expect(cache.get(Member.self, id: 1)?.taskIDs == ["a"])
        #expect(cache.allValues(of: Project.self, inOrder: true).count == 2)
    }
}
