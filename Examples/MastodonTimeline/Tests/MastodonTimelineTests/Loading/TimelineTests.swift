import FlatCache
import Testing

@testable import MastodonTimeline

@Suite("A timeline in pages")
struct TimelineTests {
    private let cache = FlatCache()

    private func timeline(of sample: SampleServer) -> Timeline {
        Timeline("home", of: .publicTimeline, from: sample.server, in: cache)
    }

    @Test("begins with the newest page and goes on with older ones, without gaps and repetitions")
    func older() async throws {
        let sample = SampleServer(timeline: .timeline(1...25), pageSize: 10)
        let timeline = timeline(of: sample)
        for known in [10, 20, 25] {
            try await timeline.loadOlder()
            #expect(Array(timeline.list.ids) == Array([Status.ID].timeline(1...25).prefix(known)))
            #expect(timeline.hasOlder)
        }
        #expect(timeline.list.missingIDs.isEmpty)
        #expect(sample.takeRequests().map { $0.values(of: "max_id") } == [[], ["16"], ["6"]])
    }

    @Test("knows its end from an empty page, and asks no more then")
    func end() async throws {
        let sample = SampleServer(timeline: .timeline(1...10), pageSize: 10)
        let timeline = timeline(of: sample)
        #expect(try await timeline.loadOlder())
        #expect(timeline.lastPage?.statusIDs.count == 10)
        #expect(try await timeline.loadOlder())
        #expect(timeline.lastPage?.statusIDs.isEmpty == true)
        #expect(!timeline.hasOlder)
        #expect(sample.takeRequests().count == 2)
        #expect(try await !timeline.loadOlder())
        #expect(try await !self.timeline(of: sample).loadOlder())
        #expect(sample.takeRequests().isEmpty)
    }

    @Test("takes a short page for a page: a server takes out what the reader must not see")
    func shortPage() async throws {
        let server = Server(answers: [.timeline(7...9), .timeline(1...2), []])
        let timeline = Timeline("home", of: .publicTimeline, from: server, in: cache)
        while try await timeline.loadOlder() {}
        #expect(Array(timeline.list.ids) == ["9", "8", "7", "2", "1"])
    }

    @Test("is empty when the server has nothing")
    func nothing() async throws {
        let timeline = timeline(of: SampleServer(timeline: []))
        #expect(try await !timeline.loadNewer())
        try await timeline.loadOlder()
        #expect(timeline.list.isEmpty)
        #expect(!timeline.hasOlder)
    }

    @Test("is continued by newer statuses without a gap, however many there are", arguments: [0, 1, 9, 10, 11, 35])
    func newer(count: Int) async throws {
        let sample = SampleServer(timeline: .timeline(1...50), pageSize: 10, unpublishedCount: count)
        let timeline = timeline(of: sample)
        try await timeline.loadOlder()
        sample.publishAll()
        var loaded: [Status.ID] = []
        while try await timeline.loadNewer() { loaded += timeline.lastPage?.statusIDs ?? [] }
        #expect(loaded.count == count)
        #expect(Array(timeline.list.ids) == Array([Status.ID].timeline(1...50).prefix(10 + count)))
        #expect(try await !timeline.loadNewer())
    }

    @Test("grows at both ends")
    func bothEnds() async throws {
        let sample = SampleServer(timeline: .timeline(1...30), pageSize: 10, unpublishedCount: 5)
        let timeline = timeline(of: sample)
        try await timeline.loadOlder()
        sample.publishAll()
        try await timeline.loadOlder()
        try await timeline.loadNewer()
        try await timeline.loadOlder()
        #expect(Array(timeline.list.ids) == .timeline(1...30))
    }

    @Test("gives the reader's posts their places when pages bring them, and doesn't ask for drafts")
    func ownPosts() async throws {
        let sample = SampleServer(timeline: .timeline(1...40), pageSize: 10, unpublishedCount: 20)
        let timeline = timeline(of: sample)
        let reader = try await Reader.signIn(on: sample.server, in: cache)
        try await timeline.loadOlder()
        // Others have posted 20 statuses meanwhile, which are older than this one.
        sample.publishAll()
        let post = reader.post("Hello", to: timeline.list)
        let id = try #require(try await post.value.value?.id)
        #expect(Array(timeline.list.ids) == [id] + .timeline(11...20))
        sample.fail("/api/v1/statuses", with: .timedOut("The server"))
        reader.post("Later", to: timeline.list, key: "draft-2")
        while try await timeline.loadNewer() {}
        #expect(cache.confirmed { Array(timeline.list.ids) } == [id] + .timeline(11...40))
        #expect(sample.takeRequests().allSatisfy { $0.values(of: "min_id") != ["draft-2"] })
    }

    @Test("stops when a server gives the same page again and again")
    func stubbornServer() async throws {
        let server = Server(answers: [.timeline(1...5)])
        let timeline = Timeline("home", of: .publicTimeline, from: server, in: cache)
        try await timeline.loadOlder()
        try await timeline.loadOlder()
        #expect(try await !timeline.loadNewer())
        #expect(Array(timeline.list.ids) == .timeline(1...5))
    }

    @Test("is one list for all who name it, with no status twice and none missing when they load at the same time")
    func sharing() async throws {
        let sample = SampleServer(timeline: .timeline(1...200), pageSize: 7, unpublishedCount: 50)
        let timelines = (0..<4).map { _ in timeline(of: sample) }
        try await timelines[0].loadOlder()
        try await withThrowingTaskGroup { group in
            for timeline in timelines {
                group.addTask { while try await timeline.loadOlder() {} }
                group.addTask {
                    sample.publishAll()
                    while try await timeline.loadNewer() {}
                }
            }
            try await group.waitForAll()
        }
        #expect(timelines.allSatisfy { Array($0.list.ids) == .timeline(1...200) })
        #expect(cache.count(of: Status.self) == 200)
    }

    @Test("keeps what the reader does while a page is loaded")
    func newerWrite() async throws {
        let sample = SampleServer(timeline: .timeline(1...5))
        let slow = Server { [cache] request throws(LoadingError) in
            let answer = try await sample.server.answer(request)
            cache.update(Status.self, id: "3") { $0.setFavourited(true) }
            return answer
        }
        cache.store(.status("3", ["favourites_count": 7]))
        try await Timeline("all", of: .publicTimeline, from: slow, in: cache).loadOlder()
        #expect(cache.get(Status.self, id: "3")?.isFavourited == true)
        #expect(cache.get(Status.self, id: "3")?.favouritesCount == 8)
    }

    @Test("stays as it is when a page can't be loaded, and goes on when it can")
    func failure() async throws {
        let sample = SampleServer(timeline: .timeline(1...20), pageSize: 10)
        let timeline = timeline(of: sample)
        try await timeline.loadOlder()
        sample.fail(APIRequest.publicTimeline.path, with: .timedOut("The server"))
        await #expect(throws: LoadingError.timedOut("The server")) { try await timeline.loadOlder() }
        await #expect(throws: LoadingError.timedOut("The server")) { try await timeline.loadNewer() }
        #expect(timeline.list.count == 10)
        #expect(timeline.hasOlder)
        sample.fail(APIRequest.publicTimeline.path, with: nil)
        try await timeline.loadOlder()
        #expect(Array(timeline.list.ids) == .timeline(1...20))
    }

    @Test("tells whoever observes its list of a page once")
    func oneCommit() async throws {
        let timeline = timeline(of: SampleServer(timeline: .timeline(1...20), pageSize: 10))
        let counts = Locked<[Int]>([])
        let subscription = timeline.list.observe { state in counts.withLock { $0.append(state.values.count) } }
        try await timeline.loadOlder()
        try await timeline.loadOlder()
        #expect(counts.withLock { $0 } == [0, 10, 20])
        subscription.cancel()
    }
}
