import FlatCache
import Testing

/// A folder with an inverse of each relationship of a document.
struct Folder: Cachable, Equatable {
    let id: Int
    // relationship: Document, inverse: folderID
    var documentIDs: [Document.ID] = []
    // relationship: Document
    var coverID: Document.ID?
    // relationship: Folder, inverse: linkedIDs, name: links
    var linkedIDs: Set<Int>?
}

struct Document: Cachable, Equatable {
    let id: String
    // relationship: Folder
    var folderID: Int?
    // relationship: Folder, inverse: coverID, name: covered
    var coveredID: Int?
}

@Suite("Inverses that go through the build plugin")
struct InverseTests {
    @Test("A handle keeps both sides, and a setter of a copy changes the copy alone")
    func bothSides() throws {
        let cache = FlatCache()
        cache.set(contentsOf: [Folder(id: 1, documentIDs: ["a"]), Folder(id: 2)])
        cache.set(Document(id: "a", folderID: 1))
        #expect(Document.inverses.count == 2 && Folder.inverses.count == 3)
        try Cached(Document.self, id: "a", in: cache).set(\.folder, to: Folder(id: 2))
        #expect(cache.get(Folder.self, id: 1) == Folder(id: 1))
        #expect(cache.get(Folder.self, id: 2) == Folder(id: 2, documentIDs: ["a"]))
        try cache.set(Folder.self, id: 2, \.cover, to: Document(id: "b"))
        try cache.set(Folder.self, id: 2, \.links, to: [Folder(id: 1)])
        #expect(cache.get(Document.self, id: "b")?.coveredID == 2)
        #expect(cache.get(Folder.self, id: 1)?.linkedIDs == [2])
        #expect(cache.inconsistencies() == [])

        var copy = try #require(cache.get(Document.self, id: "b"))
        copy.setFolder(Folder(id: 1, linkedIDs: [2]), in: cache)
        #expect(copy.folderID == 1)
        #expect(cache.get(Document.self, id: "b")?.folderID == nil)
        cache.set(copy)
        #expect(cache.inconsistencies().map(\.property) == ["Document.folderID"])
    }
}
