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
}
#endif
