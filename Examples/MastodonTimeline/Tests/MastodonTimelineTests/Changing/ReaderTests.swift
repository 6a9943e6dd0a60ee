import FlatCache
import Foundation
import Testing

@testable import MastodonTimeline

@Suite("The reader")
struct ReaderTests {
    private let cache = FlatCache(storing: [
        .status("2", by: "bo", ["favourites_count": 10, "reblogs_count": 3]), .status("1", by: "ana"),
    ])
    private let sample = SampleServer(timeline: [
        .status("2", by: "bo", ["favourites_count": 10, "reblogs_count": 3]), .status("1", by: "ana"),
    ])
    private let refusal = LoadingError.refused("The server", status: 503, reason: "busy")

    private var home: CachedList<Status> { cache.list("home") }

    /// A reader, whose server does something whenever it is asked.
    private func reader(
        _ whenAsked: @escaping @Sendable (APIRequest) throws(LoadingError) -> Void = { _ in }
    ) async throws -> Reader {
        let server = Server { [server = sample.server] request throws(LoadingError) in
            try whenAsked(request)
            return try await server.answer(request)
        }
        let reader = try await Reader.signIn(on: server, in: cache)
        _ = sample.takeRequests()
        return reader
    }

    @Test("is the account of the token")
    func signIn() async throws {
        #expect(try await reader().account.name == "You")
        #expect(cache.count(of: Account.self) == 3)
    }

    @Test("sees a favourite before the server knows of it, and then what the server has made of it")
    func favourite() async throws {
        let seen = Locked<[Status?]>([])
        let reader = try await reader { [cache] _ in
            let status = cache.get(Status.self, id: "2")
            seen.withLock { $0.append(status) }
        }
        let answer = try await reader.setFavourited("2", true).value
        #expect(seen.withLock { $0.last??.isFavourited } == true)
        #expect(seen.withLock { $0.last??.favouritesCount } == 11)
        #expect(cache.get(Status.self, id: "2") == answer.value)
        #expect(cache.get(Status.self, id: "2")?.favouritesCount == 11)
        _ = try await reader.setFavourited("2", false).value
        #expect(cache.get(Status.self, id: "2")?.favouritesCount == 10)
        #expect(sample.takeRequests() == [.favourite("2", true), .favourite("2", false)])
    }

    @Test("takes a refused change back, and nothing that others have changed meanwhile")
    func refusal() async throws {
        let reader = try await reader { [cache, refusal] request throws(LoadingError) in
            guard request.method == .post else { return }
            cache.store(.status("2", by: "bo", ["favourites_count": 20, "reblogs_count": 5]))
            throw refusal
        }
        let mutation = reader.setBoosted("2", true)
        await #expect(throws: refusal) { try await mutation.value }
        let status = try #require(cache.get(Status.self, id: "2"))
        #expect(status.isBoosted == nil && status.reblogsCount == 5 && status.favouritesCount == 20)
        #expect(Cached<Status>(id: "2", in: cache).mutations.lastError as? LoadingError == refusal)
        #expect(sample.takeRequests().isEmpty, "a refusal is an answer")
    }

    @Test("boosts a status, of which the server makes a status that the list doesn't show")
    func boost() async throws {
        let answer = try await reader().setBoosted("2", true).value
        #expect(answer.value?.reblogID == "2" && answer.value?.accountID == "1")
        #expect(cache.get(Status.self, id: "2")?.isBoosted == true)
        #expect(cache.get(Status.self, id: "2")?.reblogsCount == 4)
        #expect(cache.home == ["2", "1"])
    }

    @Test("changes a status in the order of the changes, because each answer has all of it")
    func order() async throws {
        let reader = try await reader()
        let mutations = [
            reader.setFavourited("2", true), reader.setBoosted("2", true), reader.setFavourited("2", false),
        ]
        for mutation in mutations { _ = try await mutation.value }
        #expect(sample.takeRequests() == [.favourite("2", true), .boost("2", true), .favourite("2", false)])
        let status = try #require(cache.get(Status.self, id: "2"))
        #expect(status.isFavourited == false && status.favouritesCount == 10)
        #expect(status.isBoosted == true && status.reblogsCount == 4)
    }

    @Test("sees a post at once, which gets the identifier of the server's in the list")
    func post() async throws {
        let seen = Locked<[[Status.ID]]>([])
        let reader = try await reader { [cache] _ in
            let home = cache.home
            seen.withLock { $0.append(home) }
        }
        let answer = try await reader.post("A & <b>", to: home, key: "draft-1").value
        #expect(seen.withLock { $0.last } == ["draft-1", "2", "1"])
        #expect(cache.home == ["3", "2", "1"])
        #expect(cache.get(Status.self, id: "3") == answer.value)
        #expect(cache.get(Status.self, id: "draft-1") == answer.value, "who knows the draft finds the post")
        #expect(cache.count(of: Status.self) == 3)
        #expect(sample.takeRequests() == [.post("A & <b>", key: "draft-1")])
    }

    @Test("sees a refused post disappear")
    func refusedPost() async throws {
        let reader = try await reader()
        sample.fail("/api/v1/statuses", with: refusal)
        await #expect(throws: refusal) { try await reader.post("Hello", to: home).value }
        #expect(cache.home == ["2", "1"])
        #expect(cache.count(of: Status.self) == 2)
    }

    @Test("posts once if the answer is lost, because the repeated request has the same key")
    func lostAnswer() async throws {
        let requests = Locked(0)
        let server = Server { [server = sample.server] request throws(LoadingError) in
            let answer = try await server.answer(request)
            let isLost = requests.withLock { count in
                if request.method == .post { count += 1 }
                return count == 1
            }
            if isLost { throw .noAnswer("The server") }
            return answer
        }
        let reader = try await Reader.signIn(on: server, in: cache)
        _ = try await reader.post("Hello", to: home).value
        #expect(sample.takeRequests().count { $0.method == .post } == 2)
        #expect(cache.home == ["3", "2", "1"])
        try await Timeline("public", of: .publicTimeline, from: server, in: cache).loadOlder()
        #expect(Array(cache.list("public", of: Status.self).ids) == ["3", "2", "1"])
    }

    @Test("posts in the order of writing")
    func severalPosts() async throws {
        let reader = try await reader()
        let first = reader.post("First", to: home)
        let second = reader.post("Second", to: home)
        _ = try await second.value
        _ = try await first.value
        #expect(sample.takeRequests().flatMap { $0.values(of: "status") } == ["First", "Second"])
        #expect(cache.home == ["4", "3", "2", "1"])
    }

    @Test("can favourite a draft, which is sent when the server has given it an identifier")
    func favouriteOfDraft() async throws {
        let reader = try await reader()
        let post = reader.post("Hello", to: home, key: "draft-1")
        let favourite = reader.setFavourited("draft-1", true)
        _ = try await favourite.value
        #expect(try await post.value.value?.id == "3")
        #expect(sample.takeRequests() == [.post("Hello", key: "draft-1"), .favourite("3", true)])
        #expect(cache.get(Status.self, id: "3")?.favouritesCount == 1)
    }

    @Test("loses the favourite of a draft that is refused")
    func favouriteOfRefusedDraft() async throws {
        let reader = try await reader()
        sample.fail("/api/v1/statuses", with: refusal)
        reader.post("Hello", to: home, key: "draft-1")
        let favourite = reader.setFavourited("draft-1", true)
        await #expect(throws: MutationError.self) { try await favourite.value }
        #expect(sample.takeRequests() == [.post("Hello", key: "draft-1")])
        #expect(cache.home == ["2", "1"])
    }

    @Test("sees a draft as it was written", arguments: ["Hello", "a & b < c > d", "first\nsecond", "“ü🙂”", "&amp;"])
    func draft(text: String) {
        let draft = Status(draft: "draft-1", text: text, by: "1", at: .now)
        #expect(PlainText(html: draft.content).text == text)
    }
}
