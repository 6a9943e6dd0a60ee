import FlatCache
import Foundation
import Synchronization
import Testing

@Suite("Lists of payloads")
struct PayloadListTests {
    private let cache = FlatCache()
    private var list: CachedList<Remark> { cache.list("remarks", of: Remark.self) }

    /// A payload of remarks with texts, each by a nested writer.
    private func payload(_ ids: String...) throws -> Payload<[Remark]> {
        let remarks = ids.map { #"{"id": "\#($0)", "text": "T\#($0)", "writer": {"id": 7, "name": "W\#($0)"}}"# }
        return try JSONDecoder().decode(Payload<[Remark]>.self, from: Data("[\(remarks.joined(separator: ","))]".utf8))
    }

    @Test("Pages are added at both ends and before a listed entity, and replace the list")
    func pages() throws {
        #expect(list.append(contentsOf: try payload("3", "4"))?.value?.map(\.id) == ["3", "4"])
        list.prepend(contentsOf: try payload("1", "3"))
        #expect(Array(list.ids) == ["1", "3", "4"])
        list.insert(contentsOf: try payload("2"), before: "3")
        #expect(Array(list.ids) == ["1", "2", "3", "4"])
        let unlisted = list.insert(contentsOf: try payload("9"), before: "8")
        #expect(unlisted?.value?.count == 1 && list.ids.count == 4)
        list.replace(with: try payload("5"))
        #expect(Array(list.ids) == ["5"] && cache.count(of: Remark.self) == 6)
    }

    @Test("N1: The list, its entities and their nested entities change in one commit")
    func oneCommit() throws {
        let seen = Mutex<[(ids: [String], writer: String?)]>([])
        let subscription = list.observe(initial: false) { [cache] state in
            seen.withLock { $0.append((Array(state.ids), cache.get(Writer.self, id: 7)?.name)) }
        }
        list.append(contentsOf: try payload("1", "2"))
        #expect(seen.withLock { $0.count } == 1)
        #expect(seen.withLock { $0.first?.ids } == ["1", "2"] && seen.withLock { $0.first?.writer } == "W2")
        subscription.cancel()
    }

    @Test("An incomplete entity is listed only if one is stored, which it changes")
    func incomplete() throws {
        cache.set(Remark(id: "1", text: "old", writerID: 3, replyIDs: ["r"]))
        let json = #"[{"id": "1", "writer": null}, {"id": "2"}]"#
        let payload = try JSONDecoder().decode(Payload<[Remark]>.self, from: Data(json.utf8))
        let stored = list.append(contentsOf: payload)
        #expect(Array(list.ids) == ["1"] && stored?.problems.count == 1)
        #expect(cache.get(Remark.self, id: "1") == Remark(id: "1", text: "old", writerID: nil, replyIDs: ["r"]))
    }

    @Test("F4: Entities that were written or removed since the request are left as they are")
    func fences() throws {
        cache.set(contentsOf: ["1", "2"].map { Remark(id: $0, text: "old", writerID: nil, replyIDs: nil) })
        let revision = cache.revision()
        cache.set(Remark(id: "1", text: "newer", writerID: nil, replyIDs: nil))
        cache.remove(Remark.self, id: "2")
        let stored = list.append(contentsOf: try payload("1", "2", "3"), since: revision)
        #expect(list.values.map(\.text) == ["newer", "T3"] && list.state.missingIDs == ["2"])
        #expect(stored?.problems.isEmpty == true)
    }

    @Test("S2: A page is undone with its transaction")
    func undone() throws {
        struct Undo: Error {}
        let payload = try payload("1")
        #expect(throws: Undo.self) {
            try cache.transaction {
                list.append(contentsOf: payload)
                #expect(list.values.count == 1)
                throw Undo()
            }
        }
        #expect(list.isEmpty && cache.count(of: Writer.self) == 0)
    }

    /// A page with an entity that it can't do without, and the cursors of the pages beside it.
    private struct RemarkPage: Decodable {
        let pinned: Remark
        let remarks: [Remark]
        let next: String?
        let previous: String?
    }

    /// Sets a loader that returns the response for each cursor.
    private func setLoader(_ responses: [String?: String]) {
        list.setLoader { (cursor: String?) in
            let data = Data(try #require(responses[cursor]).utf8)
            let payload = try JSONDecoder().decode(Payload<RemarkPage>.self, from: data)
            return ListPage(payload, ids: { $0.remarks.map(\.id) }, next: \.next, previous: \.previous)
        }
    }

    private func remark(_ id: String) -> String { #"{"id": "\#(id)", "text": "T", "writer": {"id": 7, "name": "W"}}"# }

    @Test("The cursors of a page can be in its response")
    func cursorsInResponse() async throws {
        setLoader([
            nil: #"{"pinned": \#(remark("0")), "remarks": [\#(remark("1"))], "next": "n", "previous": "p"}"#,
            "n": #"{"pinned": \#(remark("0")), "remarks": [\#(remark("2"))]}"#,
            "p": #"{"pinned": \#(remark("0")), "remarks": [\#(remark("3"))], "next": "n"}"#,
        ])
        try await list.refresh()
        #expect(Array(list.ids) == ["1"] && list.hasMore && list.hasPrevious)
        #expect(try await list.loadMore())
        #expect(try await list.loadPrevious())
        #expect(Array(list.ids) == ["3", "1", "2"] && !list.hasMore && !list.hasPrevious)
        #expect(cache.contains(Remark.self, id: "0") && cache.get(Writer.self, id: 7)?.name == "W")
    }

    @Test("A page without a value throws its problem to all, and the list, its cursors and its entities stay")
    func pageWithoutValue() async throws {
        setLoader([
            nil: #"{"pinned": \#(remark("0")), "remarks": [\#(remark("1"))], "next": "n"}"#,
            "n": #"{"pinned": {"id": "8"}, "remarks": [\#(remark("2"))]}"#,
        ])
        try await list.refresh()
        let problem = try await #require(throws: PayloadProblem.self) { try await list.loadMore() }
        #expect("\(problem)".contains("pinned"))
        #expect("\(list.error.map { "\($0)" } ?? "")" == "\(problem)")
        #expect(Array(list.ids) == ["1"] && list.hasMore && !list.isLoading)
        #expect(!cache.contains(Remark.self, id: "2"))
        try await list.refresh()
        #expect(list.error == nil)
    }

    /// A page that names its remarks.
    struct NamedRemarks: Decodable, FlatCache.PayloadOwner {
        let remarkIDs: [Remark.ID]
        let next: String?

        static var payloadKeys: [_PayloadKey] {
            [.init("remarkIDs", \.remarkIDs, Remark.self, "remarks"), .init("next", \.next)]
        }
    }

    @Test("What a page has and can't be stored isn't listed, unless it was, and is among the problems of the list")
    func problems() async throws {
        cache.set(Remark(id: "3", text: "stored", writerID: nil, replyIDs: nil))
        let pages = [
            nil: #"{"remarks": [\#(remark("1")), {"id": "2"}, {"id": "3"}], "next": "n"}"#,
            "n": #"{"remarks": [\#(remark("4"))]}"#,
        ]
        list.setLoader { (cursor: String?) in
            let data = Data(try #require(pages[cursor]).utf8)
            let page = try JSONDecoder().decode(Payload<NamedRemarks>.self, from: data)
            return ListPage(page, ids: \.remarkIDs, next: \.next)
        }
        #expect(list.problems.isEmpty)
        try await list.refresh()
        #expect(list.ids.elementsEqual(["1", "3"]) && list.handles.allSatisfy { $0.value != nil })
        #expect(list.problems.map(\.key) == [Remark.flatCacheKey(id: "2")])
        #expect(list.hasMore && list.error == nil)
        try await list.loadMore()
        #expect(list.ids.elementsEqual(["1", "3", "4"]) && list.problems.isEmpty)
    }

    @Test("A list without its cache stores nothing")
    func cacheGone() throws {
        let list = FlatCache().list("remarks", of: Remark.self)
        #expect(list.append(contentsOf: try payload("1")) == nil)
    }
}
