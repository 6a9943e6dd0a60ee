import Foundation
import Testing

@testable import MastodonTimeline

@Suite("A request")
struct APIRequestTests {
    @Test("asks for entities by their identifiers")
    func identifiers() {
        let request = APIRequest.statuses(["2", "1"])
        #expect(request.path == "/api/v1/statuses")
        #expect(request.values(of: "id[]") == ["1", "2"])
        #expect(APIRequest.accounts(["7"]).path == "/api/v1/accounts")
        #expect(APIRequest.statuses(by: "7").path == "/api/v1/accounts/7/statuses")
    }

    @Test("keeps what an address asks for, but for the place in the timeline")
    func places() throws {
        let url = try #require(URL(string: "https://example.org/api/v1/timelines/tag/tea?limit=5&max_id=9&since_id=1"))
        let request = APIRequest(url)
        #expect(request.older(than: nil) == request)
        #expect(request.older(than: "7").parameters.map(\.description) == ["limit=5", "max_id=7"])
        #expect(request.newer(than: "7").parameters.map(\.description) == ["limit=5", "min_id=7"])
    }

    @Test(
        "is known for that of a timeline by its path",
        arguments: [
            ("/api/v1/timelines/public", true), ("/api/v1/timelines/tag/tea", true),
            ("/api/v1/accounts/7/statuses", true),
            ("/api/v1/accounts", false), ("/api/v1/accounts/7", false), ("/api/v1/notifications", false), ("/", false),
        ]
    )
    func timelines(path: String, isTimeline: Bool) {
        #expect(APIRequest(path: path).isTimeline == isTimeline)
    }
}
