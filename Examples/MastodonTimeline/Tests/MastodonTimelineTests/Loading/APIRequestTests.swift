import Foundation
import Testing

@testable import MastodonTimeline

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

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

    @Test("of a change has a path for its kind, and that of a post a key")
    func changes() {
        #expect(APIRequest.favourite("7", true).path == "/api/v1/statuses/7/favourite")
        #expect(APIRequest.favourite("7", false).path == "/api/v1/statuses/7/unfavourite")
        #expect(APIRequest.boost("7", true).path == "/api/v1/statuses/7/reblog")
        #expect(APIRequest.boost("7", false).path == "/api/v1/statuses/7/unreblog")
        #expect(APIRequest.boost("7", true).method == .post)
        #expect(APIRequest.post("Hello", key: "draft-1").values(of: "status") == ["Hello"])
        #expect(APIRequest.post("Hello", key: "draft-1").idempotencyKey == "draft-1")
    }

    @Test("is sent with the token, the key and the text as JSON")
    func sending() throws {
        let url = try #require(URL(string: "https://example.org/api/v1/statuses"))
        let request = URLRequest(.post("a + b & c", key: "draft-1"), at: url, token: "secret")
        #expect(request.httpMethod == "POST")
        #expect(request.value(forHTTPHeaderField: "Authorization") == "Bearer secret")
        #expect(request.value(forHTTPHeaderField: "Idempotency-Key") == "draft-1")
        #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/json")
        #expect(request.httpBody.map { String(decoding: $0, as: UTF8.self) } == #"{"status":"a + b & c"}"#)
        let page = URLRequest(.publicTimeline, at: url, token: nil)
        #expect(page.httpMethod == "GET" && page.httpBody == nil)
        #expect(page.value(forHTTPHeaderField: "Authorization") == nil)
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
