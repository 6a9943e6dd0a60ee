#if DEBUG
import Foundation
import Testing

@testable import FlatCache

@Suite("Entities that a list leaves out")
struct UnlistedEntityTests {
    struct Single: Cachable, Decodable, FlatCache.PayloadDecodable {
        let id: Int
        let title: String

        static var payloadKeys: [_PayloadKey] { [.init("id", \.id), .init("title", \.title)] }
    }

    struct Page: Decodable, FlatCache.PayloadOwner {
        let singleIDs: [Single.ID]
        let next: String?
        let featured: Single?

        static var payloadKeys: [_PayloadKey] {
            [
                .init("singleIDs", \.singleIDs, Single.self, "singles"), .init("next", \.next),
                .init("featured", \.featured),
            ]
        }
    }

    @Test(
        "A debug build says once that a list leaves entities of a page out, and nothing of others that aren't stored",
        arguments: [(#""singles": [{"id": 1}]"#, true), (#""singles": [], "featured": {"id": 1}"#, false)]
    )
    func said(members: String, isSaid: Bool) async throws {
        let said = Recorder<String>()
        try await DeveloperNotes.$current.withValue(DeveloperNotes { said.record($0) }) {
            let cache = FlatCache()
            let list = cache.list("charts", of: Single.self)
            list.setLoader { (_: String?) in
                let page = try JSONDecoder().decode(Payload<Page>.self, from: Data("{\(members)}".utf8))
                return ListPage(page, ids: \.singleIDs, next: \.next)
            }
            try await list.refresh()
            try await list.refresh()
            #expect(list.isEmpty && list.problems.count == 1)
        }
        let message =
            "the list 'charts' leaves out 1 entity of a page; see its 'problems': "
            + "singles[0]: Single isn't stored, and the payload leaves out title"
        #expect(said.elements == (isSaid ? [message] : []))
    }

    /// A list whose loader answers with these pages, one after the other.
    private func list(of pages: String..., in cache: FlatCache) -> CachedList<Single> {
        let list = cache.list("charts", of: Single.self)
        let rest = Protected(pages)
        list.setLoader { (_: String?) in
            let text = rest.withLock { $0.removeFirst() }
            let page = try JSONDecoder().decode(Payload<Page>.self, from: Data(text.utf8))
            return ListPage(page, ids: \.singleIDs, next: \.next)
        }
        return list
    }

    @Test("An entity that can't be read isn't listed", arguments: ["5", "null"])
    func unreadable(title: String) async throws {
        let cache = FlatCache()
        let list = list(of: #"{"singles": [{"id": 1, "title": "a"}, {"id": 2, "title": \#(title)}]}"#, in: cache)
        try await list.refresh()
        #expect(list.ids.elementsEqual([1]) && list.missingIDs.isEmpty)
        #expect(list.problems.map(\.key) == [Single.flatCacheKey(id: 2)])
    }

    @Test(
        "A listed entity that was removed leaves the list, if the next page can't store it",
        arguments: [false, true]
    )
    func alreadyListed(isStored: Bool) async throws {
        let cache = FlatCache()
        let list = list(
            of: #"{"singles": [{"id": 1, "title": "a"}, {"id": 2, "title": "b"}]}"#,
            #"{"singles": [{"id": 1, "title": "a"}, {"id": 2}]}"#,
            in: cache
        )
        try await list.refresh()
        if !isStored { cache.remove(Single.self, id: 2) }
        try await list.refresh()
        #expect(list.ids.elementsEqual(isStored ? [1, 2] : [1]) && list.missingIDs.isEmpty)
        #expect(list.problems.count == (isStored ? 0 : 1))
    }

    @Test("An entity that the closure of a page stores is listed")
    func storedByClosure() async throws {
        let cache = FlatCache()
        let list = cache.list("charts", of: Single.self)
        list.setLoader { (_: String?) in
            let text = #"{"singles": [{"id": 1, "title": "a"}]}"#
            let page = try JSONDecoder().decode(Payload<Page>.self, from: Data(text.utf8))
            return ListPage(page, next: nil) { stored in
                FlatCache.current.set(Single(id: 9, title: "an advertisement"))
                return [9] + (stored.value?.singleIDs ?? [])
            }
        }
        try await list.refresh()
        #expect(list.ids.elementsEqual([9, 1]) && cache.contains(Single.self, id: 9))
        let page = try await list.replace { page in
            cache.set(Single(id: 8, title: "another one"))
            return [8] + page.singleIDs
        } _: {
            try JSONDecoder().decode(Payload<Page>.self, from: Data(#"{"singles": [{"id": 2, "title": "b"}]}"#.utf8))
        }
        #expect(list.ids.elementsEqual([8, 2]) && page.problems.isEmpty)
    }
}
#endif
