import FlatCache
import Testing

@testable import MastodonTimeline

@Suite("What is missing around statuses")
struct FetchingTests {
    /// Two boosts and three replies, among them a boost of a reply; of all that they refer to, nothing is listed.
    private static let timeline: JSON = [
        .status("9", by: "ana", ["reblog": .status("4", by: "bo")]),
        .status("8", by: "bo", ["in_reply_to_id": "4", "in_reply_to_account_id": "bo"]),
        .status("7", by: "ana", ["reblog": .status("5", by: "cy", ["in_reply_to_id": "3"])]),
        .status("6", by: "ana", ["in_reply_to_id": "1", "in_reply_to_account_id": "gone"]),
        .status("2", by: "dee", ["reblog": .status("3", by: "eli")]),
    ]
    private let sample = SampleServer(timeline: timeline)
    private let cache = FlatCache()
    private let listed: [Status.ID] = ["9", "8", "7", "6"]

    init() async throws {
        cache.setFetchers(asking: sample.server)
        let page = try await sample.server.answer(.publicTimeline).payload(of: [Status].self)
        // Without the last one, whose boosted status is a reason for one more request.
        cache.set(contentsOf: FlatCache().store(page).value?.filter { listed.contains($0.id) } ?? [])
        _ = sample.takeRequests()
    }

    private var statuses: [Status] { cache.get(ids: listed) }

    @Test("is fetched in a request for each step, whatever the number of statuses")
    func requests() async throws {
        try await cache.fetchWhatIsShown(with: statuses)
        #expect(
            sample.takeRequests() == [
                .statuses(["1", "4", "5"]), .statuses(["3"]), .accounts(["ana", "bo", "cy", "eli", "gone"]),
            ]
        )
        #expect(cache.missingIDs(of: Status.self, among: ["3", "4", "5"]).isEmpty)
        #expect(cache.count(of: Account.self) == 4)
    }

    @Test("is fetched once")
    func hit() async throws {
        try await cache.fetchWhatIsShown(with: statuses.dropLast())
        _ = sample.takeRequests()
        try await cache.fetchWhatIsShown(with: statuses.dropLast())
        #expect(sample.takeRequests().isEmpty)
    }

    @Test("is fetched once when two screens ask for it at the same time")
    func joined() async throws {
        let statuses = Array(statuses.dropLast())
        async let first: Void = cache.fetchWhatIsShown(with: statuses)
        async let second: Void = cache.fetchWhatIsShown(with: statuses)
        _ = try await (first, second)
        let ids = sample.takeRequests().flatMap { request in request.values(of: "id[]").map { request.path + $0 } }
        #expect(ids.count == Set(ids).count)
    }

    @Test("is fetched for quotes, too: the quoted statuses and their authors")
    func quotes() async throws {
        let quote: JSON = ["state": "accepted", "quoted_status_id": "1"]
        let sample = SampleServer(timeline: [
            .status("3", by: "cy", ["reblog": .status("2", by: "bo", ["quote": quote])]), .status("1", by: "ana"),
        ])
        cache.setFetchers(asking: sample.server)
        let page = try await sample.server.answer(.publicTimeline).payload(of: [Status].self)
        cache.set(contentsOf: FlatCache().store(page).value?.filter { $0.id == "3" } ?? [])
        _ = sample.takeRequests()
        try await cache.fetchWhatIsShown(with: cache.get(ids: ["3"]))
        #expect(sample.takeRequests() == [.statuses(["2"]), .statuses(["1"]), .accounts(["ana", "bo", "cy"])])
    }

    @Test("is fetched for an author who is known only by a mention, and not for a mentioned account that is no author")
    func mentioned() async throws {
        let sample = SampleServer(timeline: [
            .status("2", by: "ana", ["mentions": [.mention("bo"), .mention("cy")]]), .status("1", by: "bo"),
        ])
        cache.setFetchers(asking: sample.server)
        let timeline = Timeline("mentions", of: .publicTimeline, from: sample.server, in: cache)
        try await timeline.loadOlder()
        _ = sample.takeRequests()
        #expect(cache.get(Account.self, ids: ["bo", "cy"]).map(\.displayName) == [nil, nil])
        for _ in 0..<2 { try await cache.fetchWhatIsShown(with: timeline.list.values) }
        #expect(sample.takeRequests() == [.accounts(["ana", "bo"])])
        #expect(cache.get(Account.self, ids: ["bo", "cy"]).map(\.displayName) == ["", nil])
    }

    @Test("comes with its nested entities in one commit, and keeps the values that the answer leaves out")
    func nested() async throws {
        cache.store(.status("20", by: "bo", ["favourited": true, "poll": .poll("p", ["own_votes": [1]])]))
        let answer: JSON = .status(
            "20",
            [
                "account": ["id": "bo", "display_name": "Bo"], "poll": .poll("p", ["votes_count": 7]),
                "quote": ["state": "accepted", "quoted_status": .status("21", by: "cy")],
            ]
        )
        cache.setFetchers(asking: Server(answers: [[answer]]))
        let keys = [Status.flatCacheKey(id: "20"), Account.flatCacheKey(id: "bo"), Poll.flatCacheKey(id: "p")]
        let observed = Locked<[ChangeSet]>([])
        let subscription = cache.observe(keys + [Status.flatCacheKey(id: "21")], initial: false) { changes in
            observed.withLock { $0.append(changes) }
        }
        let status = try await cache.fetch(Status.self, id: "20", .networkOnly)
        #expect(observed.withLock { $0 }.map(\.inserted) == [[Status.flatCacheKey(id: "21")]])
        #expect(observed.withLock { $0 }.map(\.updated) == [Set(keys)])
        #expect(status.isFavourited == true)
        #expect(status.account(in: cache) == Account(id: "bo", handle: "bo", displayName: "Bo"))
        #expect(status.poll(in: cache)?.ownVotes == [1])
        #expect(status.poll(in: cache)?.votesCount == 7)
        subscription.cancel()
    }

    @Test("is asked for in no larger batches than servers allow", arguments: [(20, 1), (21, 2), (100, 5)])
    func batchLimit(count: Int, requestCount: Int) async throws {
        let boosts = (1...count).map { JSON.status("b\($0)", ["reblog": .status("\($0)")]) }
        let sample = SampleServer(timeline: .array(boosts), pageSize: count)
        let cache = FlatCache()
        cache.setFetchers(asking: sample.server)
        let timeline = Timeline("home", of: .publicTimeline, from: sample.server, in: cache)
        try await timeline.loadOlder()
        _ = sample.takeRequests()
        try await cache.fetchWhatIsShown(with: timeline.list.values)
        let requests = sample.takeRequests()
        #expect(requests.filter { $0.path == "/api/v1/statuses" }.count == requestCount)
        #expect(requests.allSatisfy { $0.values(of: "id[]").count <= 20 })
        #expect(requests.filter { $0.path == "/api/v1/accounts" }.count == 1)
        #expect(cache.count(of: Status.self) == 2 * count)
    }

    @Test("is no error where the server doesn't have it, and its handle knows why it is missing")
    func notThere() async throws {
        try await cache.fetchWhatIsShown(with: statuses)
        let gone = Cached<Status>(id: "1", in: cache)
        #expect(gone.value == nil)
        #expect(!gone.status.isLoading)
        #expect(gone.status.error?.keys == [Status.flatCacheKey(id: "1")])
    }

    @Test("is an error where the server can't be asked; the handle has it until the next success")
    func failure() async throws {
        let error = LoadingError.refused("The server", status: 503, reason: "busy")
        sample.fail("/api/v1/statuses", with: error)
        let thrown = await #expect(throws: FetchError.self) { try await cache.fetchWhatIsShown(with: statuses) }
        #expect(thrown?.underlying as? LoadingError == error)
        #expect(sample.takeRequests().last?.path == "/api/v1/accounts", "the rest is fetched all the same")
        let boosted = Cached<Status>(id: "4", in: cache)
        #expect(boosted.status.error?.underlying as? LoadingError == error)
        sample.fail("/api/v1/statuses", with: nil)
        try await cache.fetchWhatIsShown(with: statuses)
        #expect(boosted.status.error == nil)
        #expect(boosted.value != nil)
    }

    @Test("doesn't undo what the reader did while it was fetched")
    func newerWrite() async throws {
        let slow = Server { [cache, sample] request throws(LoadingError) in
            let answer = try await sample.server.answer(request)
            for var status in FlatCache().store(try answer.payload(of: [Status].self)).value ?? [] {
                status.setFavourited(true)
                cache.set(status)
            }
            return answer
        }
        cache.setFetchers(asking: slow)
        let boosted = try await cache.fetch(Status.self, id: "4")
        #expect(boosted.isFavourited == true)
    }
}
