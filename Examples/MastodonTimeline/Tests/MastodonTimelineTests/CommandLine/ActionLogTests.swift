import FlatCache
import Testing

@testable import MastodonTimeline

@Suite("The log of changes")
struct ActionLogTests {
    private let cache = FlatCache(storing: [
        .status("3", by: "bo", ["reblog": .status("2", by: "ana", ["favourites_count": 1])])
    ])
    private let sample = SampleServer(timeline: [
        .status("3", by: "bo", ["reblog": .status("2", by: "ana", ["favourites_count": 1])]), .status("1", by: "ana"),
    ])

    /// What is shown before and after the answers, and the reasons why changes could not be made.
    private func log(_ actions: Action...) async throws -> (before: [String], after: [String], failures: [LoadingError])
    {
        let gate = Gate()
        let server = Server { [server = sample.server] request throws(LoadingError) in
            if request.method == .post { await gate.wait() }
            return try await server.answer(request)
        }
        cache.setFetchers(asking: server)
        let reader = try await Reader.signIn(on: server, in: cache)
        let terminal = Terminal(width: 80)
        var log = ActionLog(of: actions, by: reader, in: cache.list("home"), of: cache, terminal: terminal)
        let before = await log.begin()
        gate.open()
        return (before.map(\.maskingDraft), await log.end().map(\.maskingDraft), log.failures)
    }

    @Test("shows a post as it is sent, and then its identifier")
    func post() async throws {
        let (before, after, failures) = try await log(.post("Hello"))
        #expect(before == ["Shown before the server has answered", "   Post “Hello”", "      draft: sending …", ""])
        #expect(after == ["Shown after the server has answered", "   Post “Hello”", "      draft → 4", ""])
        #expect(failures.isEmpty)
    }

    @Test("shows a favourite of a boost with the boosted post")
    func favourite() async throws {
        let (before, after, _) = try await log(.favourite("3"))
        #expect(before.dropFirst() == ["   Favourite “Hello”", "      1 favourite → ★ 2 favourites · sending …", ""])
        #expect(after.dropFirst() == ["   Favourite “Hello”", "      ★ 2 favourites", ""])
        #expect(sample.takeRequests().last == .favourite("2", true))
    }

    @Test("fetches a post that isn't there")
    func missing() async throws {
        let (before, after, failures) = try await log(.boost("1"), .boost("7"))
        #expect(before.dropFirst() == ["   Boost “Hello”", "      ↻ 1 boost · sending …", ""])
        #expect(after.dropFirst() == ["   Boost “Hello”", "      ↻ 1 boost", ""])
        #expect(failures == [.missing("The post 7")])
    }

    @Test("shows that refused changes are taken back")
    func refusal() async throws {
        let error = LoadingError.refused("The server", status: 503, reason: "busy")
        for path in ["/api/v1/statuses", "/api/v1/statuses/2/favourite"] { sample.fail(path, with: error) }
        let (_, after, failures) = try await log(.favourite("2"), .post("Hello"))
        #expect(
            after.dropFirst() == [
                "   Favourite “Hello”", "      taken back: 1 favourite", "   Post “Hello”", "      taken back", "",
            ]
        )
        #expect(failures == [error, error])
        #expect(cache.home == ["3"])
    }

    @Test("is empty if nothing is to be changed")
    func nothing() async throws {
        let (before, after, failures) = try await log()
        #expect(before.isEmpty && after.isEmpty && failures.isEmpty)
    }
}

extension String {
    /// The line without the random part of a draft's identifier.
    fileprivate var maskingDraft: String { replacing(/draft-[-0-9A-F]+/, with: "draft") }
}
