import FlatCache
import Testing

@testable import MastodonTimeline

@Suite("A screen")
struct ScreenTests {
    private let cache = FlatCache(storing: [
        .status("1", by: "ana"), .status("2", by: "bo"), .status("3", by: "ana"),
        .status("4", by: "bo", ["reblog": .status("5", by: "ana")]),
    ])
    private let renderer = StatusRenderer(terminal: Terminal(width: 80))

    private func screen(of list: String = "home") -> Screen {
        let screen = Screen("A screen", showing: cache.list(list), in: cache, renderer: renderer)
        _ = screen.takeUpdate()
        return screen
    }

    private var profile: Screen {
        cache.list("profile", of: Status.self).replace(withIDs: ["5", "3", "1"])
        return screen(of: "profile")
    }

    @Test("shows the statuses of its list, each rendered once")
    func rows() {
        let home = Screen("Home", showing: cache.list("home"), in: cache, renderer: renderer)
        #expect(home.rows.map(\.id) == ["1", "2", "3", "4"])
        #expect(home.takeUpdate() == ScreenUpdate(rendered: ["1", "2", "3", "4"], joined: ["1", "2", "3", "4"]))
    }

    @Test("shows a favourite that was given on another")
    func favourite() {
        let (home, profile) = (screen(), profile)
        cache.update(Status.self, id: "1") { $0.setFavourited(true) }
        #expect(home.takeUpdate() == ScreenUpdate(rendered: ["1"], changed: ["1"]))
        #expect(profile.takeUpdate() == ScreenUpdate(rendered: ["1"], changed: ["1"]))
        #expect(home.lines(of: "1").last == "  ★ 1 favourite")
        #expect(profile.lines(of: "1").last == "  ★ 1 favourite")
    }

    @Test("renders every status that shows a renamed account again, and no other")
    func rename() {
        let (home, profile) = (screen(), profile)
        cache.update(Account.self, id: "ana") { $0.displayName = "Ana Lima" }
        let (homeUpdate, profileUpdate) = (home.takeUpdate(), profile.takeUpdate())
        #expect(homeUpdate.rendered.sorted() == ["1", "3", "4"])
        #expect(homeUpdate.changed.sorted() == ["1", "3", "4"])
        #expect(profileUpdate.rendered.sorted() == ["1", "3", "5"])
        #expect(home.rows.first?.lines.first == "Ana Lima")
    }

    @Test("loses a status that is deleted")
    func deletion() {
        let (home, profile) = (screen(), profile)
        cache.remove(Status.self, id: "3")
        #expect(home.takeUpdate() == ScreenUpdate(rendered: ["3"], left: ["3"]))
        #expect(profile.takeUpdate().left == ["3"])
        #expect(home.rows.map(\.id) == ["1", "2", "4"])
    }

    @Test("gets a status back at its place that was deleted by mistake")
    func restoration() throws {
        let home = screen()
        let status = try #require(cache.remove(Status.self, id: "3"))
        cache.set(status)
        #expect(home.takeUpdate() == ScreenUpdate(rendered: ["3", "3"], joined: ["3"], left: ["3"]))
        #expect(home.rows.map(\.id) == ["1", "2", "3", "4"])
    }

    @Test("says of a boost that the boosted status is gone")
    func deletionOfBoosted() {
        let home = screen()
        cache.remove(Status.self, id: "5")
        #expect(home.takeUpdate() == ScreenUpdate(rendered: ["4"], changed: ["4"]))
        #expect(home.rows.last?.lines == ["↻ bo boosted a post that is not here"])
    }

    @Test("renders the statuses of a page once each, and those that were there not at all")
    func page() {
        let (home, window) = (screen(), screen())
        cache.transaction {
            _ = cache.store([.status("7", by: "cy"), .status("2", by: "bo"), .status("6", by: "ana")])
        }
        for screen in [home, window] {
            #expect(screen.takeUpdate() == ScreenUpdate(rendered: ["7", "6"], joined: ["7", "6"]))
            #expect(screen.rows.map(\.id) == ["1", "2", "3", "4", "7", "6"])
        }
    }

    @Test("renders nothing when its list is put into another order")
    func order() {
        let home = screen()
        cache.list("home", of: Status.self).move("4", before: "1")
        #expect(home.rows.map(\.id) == ["4", "1", "2", "3"])
        #expect(home.takeUpdate() == ScreenUpdate())
    }

    @Test("keeps the row of a draft when the server has given it an identifier")
    func draft() async throws {
        let sample = SampleServer(timeline: [.status("5")])
        let reader = try await Reader.signIn(on: sample.server, in: cache)
        let home = screen()
        let post = reader.post("Hello", to: cache.list("home"), key: "draft-1")
        _ = try await post.value
        #expect(home.rows.map(\.id) == ["6", "1", "2", "3", "4"])
        let update = home.takeUpdate()
        #expect(update.joined == ["draft-1"] && update.left.isEmpty)
        #expect(!home.lines(of: "6").contains("  sending …"))
        cache.update(Status.self, id: "6") { $0.setFavourited(true) }
        #expect(home.lines(of: "6").last == "  ★ 1 favourite")
        cache.remove(Status.self, id: "6")
        #expect(home.rows.map(\.id) == ["1", "2", "3", "4"])
    }

    @Test("follows a status no more that has left the list, and again when it is back")
    func leaving() {
        let home = screen()
        let list = cache.list("home", of: Status.self)
        list.remove("1")
        #expect(home.takeUpdate() == ScreenUpdate(left: ["1"]))
        cache.update(Status.self, id: "1") { $0.setFavourited(true) }
        #expect(home.takeUpdate() == ScreenUpdate())
        list.prepend(ids: ["1"])
        #expect(home.takeUpdate() == ScreenUpdate(rendered: ["1"], joined: ["1"]))
        #expect(home.rows.first?.lines.last == "  ★ 1 favourite")
    }

    @Test("shows a status of its list as soon as it is stored")
    func lateArrival() {
        cache.list("home", of: Status.self).prepend(ids: ["6"])
        let home = screen()
        #expect(home.rows.map(\.id) == ["1", "2", "3", "4"])
        cache.store(.status("6", by: "cy"))
        #expect(home.rows.map(\.id) == ["6", "1", "2", "3", "4"])
        #expect(home.takeUpdate() == ScreenUpdate(rendered: ["6"], joined: ["6"]))
    }

    @Test("says of a row that it is being loaded, or why it could not be")
    func loading() async throws {
        let home = screen()
        cache.list("home", of: Status.self).prepend(ids: ["6"])
        let seen = Locked<[[String]]>([])
        let error = LoadingError.timedOut("The server")
        let answer = Locked<Result<Response, LoadingError>>(.failure(error))
        cache.setFetchers(
            asking: Server { _ throws(LoadingError) in
                seen.withLock { $0.append(home.lines(of: "6")) }
                return try answer.withLock { $0 }.get()
            }
        )
        await #expect(throws: FetchError.self) { try await cache.fetch(Status.self, id: "6") }
        #expect(home.lines(of: "6") == ["could not be loaded: The server did not answer in time."])
        answer.withLock { $0 = .success(Response(data: JSON.array([.status("6", by: "cy")]).data, name: "It")) }
        _ = try await cache.fetch(Status.self, id: "6")
        #expect(home.lines(of: "6").first == "cy")
        #expect(seen.withLock { $0 } == [["loading …"], ["loading …"]])
    }

    @Test("is not told of what it doesn't show")
    func silence() {
        let profile = profile
        cache.update(Account.self, id: "bo") { $0.displayName = "Bo" }
        cache.update(Status.self, id: "2") { $0.setFavourited(true) }
        cache.update(Status.self, id: "1") { $0.favouritesCount += 0 }
        #expect(profile.takeUpdate() == ScreenUpdate())
    }

    @Test("can go while the cache stays")
    func release() {
        weak var gone: Screen?
        do {
            let screen = screen()
            gone = screen
            #expect(gone != nil)
        }
        #expect(gone == nil)
        cache.update(Status.self, id: "1") { $0.setFavourited(true) }
    }

    @Test("hears of every entity that its lines are made from, and renders no row that isn't made from it")
    func completeness() {
        let document: JSON = [
            .status("1", by: "ana", ["reblog": .status("2", by: "bo", ["in_reply_to_id": "3", "poll": .poll("p")])]),
            .status("3", by: "cy", ["media_attachments": [["id": "m", "type": "image", "description": nil]]]),
            .status("4", by: "dee", ["in_reply_to_id": "3", "in_reply_to_account_id": "cy"]),
            .status("5", by: "eli", ["in_reply_to_id": "x", "in_reply_to_account_id": "ana"]),
            .status("6", by: "fay", ["quote": ["state": "accepted", "quoted_status_id": "2"]]),
        ]
        func rows(rendering expected: [Status.ID], after remove: (FlatCache) -> Void) {
            let cache = FlatCache(storing: document)
            let screen = Screen("Home", showing: cache.list("home"), in: cache, renderer: renderer)
            _ = screen.takeUpdate()
            remove(cache)
            #expect(screen.takeUpdate().rendered.sorted() == expected)
            #expect(screen.rows == Screen("", showing: cache.list("home"), in: cache, renderer: renderer).rows)
        }
        rows(rendering: ["1"]) { $0.remove(Status.self, id: "1") }
        rows(rendering: ["1", "6"]) { $0.remove(Status.self, id: "2") }
        rows(rendering: ["1", "3", "4"]) { $0.remove(Status.self, id: "3") }
        rows(rendering: ["1", "6"]) { $0.remove(Account.self, id: "bo") }
        rows(rendering: ["1", "5"]) { $0.remove(Account.self, id: "ana") }
        rows(rendering: ["1", "3", "4"]) { $0.remove(Account.self, id: "cy") }
        rows(rendering: ["1"]) { $0.remove(Poll.self, id: "p") }
        rows(rendering: ["3"]) { $0.remove(MediaAttachment.self, id: "m") }
        rows(rendering: []) { $0.remove(Account.self, id: "nobody") }
    }

    @Test("shows the last state after changes from many threads")
    func concurrency() async throws {
        let (home, profile) = (screen(), profile)
        let coming = try #require(cache.get(Status.self, id: "3"))
        await withTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<25 {
                        cache.update(Status.self, id: "1") { $0.favouritesCount += 1 }
                        cache.update(Account.self, id: "ana") { $0.displayName = $0.displayName.map { $0 + "!" } }
                    }
                }
                group.addTask {
                    for _ in 0..<25 {
                        cache.remove(Status.self, id: "3")
                        cache.set(coming)
                    }
                }
                group.addTask {
                    for _ in 0..<25 {
                        cache.list("home", of: Status.self).remove("2")
                        cache.list("home", of: Status.self).append(ids: ["2"])
                    }
                }
            }
        }
        #expect(home.rows == screen().rows)
        #expect(profile.rows == self.profile.rows)
        #expect(home.rows.map(\.id).sorted() == ["1", "2", "3", "4"])
        #expect(home.rows.first?.lines.last == "  100 favourites")
        #expect(home.rows.first?.lines.filter { $0.hasPrefix("!") }.joined().count == 100)
    }
}
