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

    private var home: Screen { Screen(.home(["1", "2", "3", "4"]), in: cache, renderer: renderer) }
    private var profile: Screen { Screen(.profile("ana"), in: cache, renderer: renderer) }

    @Test("lists the statuses of its feed")
    func rows() {
        #expect(home.rows.map(\.id) == ["1", "2", "3", "4"])
        #expect(profile.rows.map(\.id) == ["5", "3", "1"])
        #expect(home.title == "Home")
        #expect(profile.title == "Profile of @ana")
        #expect(home.takeUpdates() == [])
    }

    @Test("shows a favourite that was given on another, and each is told once")
    func favourite() {
        let (home, profile) = (home, profile)
        home.toggleFavourite("1")
        #expect(home.takeUpdates() == [ScreenUpdate(rendered: ["1"])])
        #expect(profile.takeUpdates() == [ScreenUpdate(rendered: ["1"])])
        #expect(home.rows.first?.lines.last == "  ★ 1 favourite")
        #expect(profile.rows.last?.lines.last == "  ★ 1 favourite")

        profile.toggleFavourite("1")
        #expect(home.takeUpdates().count == 1)
        #expect(home.rows.first?.lines.last == "  Hello")
    }

    @Test("renders every status by a renamed account again, and no other")
    func rename() {
        let (home, profile) = (home, profile)
        cache.update(Account.self, id: "ana") { $0.displayName = "Ana Lima" }
        #expect(home.takeUpdates() == [ScreenUpdate(rendered: ["1", "3", "4"])])
        #expect(profile.takeUpdates() == [ScreenUpdate(rendered: ["5", "3", "1"])])
        #expect(home.rows.first?.lines.first == "Ana Lima")
    }

    @Test("loses a status that is deleted")
    func deletion() {
        let (home, profile) = (home, profile)
        cache.remove(Status.self, id: "3")
        #expect(home.takeUpdates() == [ScreenUpdate(left: ["3"])])
        #expect(profile.takeUpdates() == [ScreenUpdate(left: ["3"])])
        #expect(home.rows.map(\.id) == ["1", "2", "4"])
    }

    @Test("says of a boost that the boosted status is gone")
    func deletionOfBoosted() {
        let (home, profile) = (home, profile)
        cache.remove(Status.self, id: "5")
        #expect(home.takeUpdates() == [ScreenUpdate(rendered: ["4"])])
        #expect(profile.takeUpdates() == [ScreenUpdate(left: ["5"])])
        #expect(home.rows.last?.lines == ["↻ bo boosted a post that is not here"])
    }

    @Test("gains a status that a later response brings, and follows it from then on")
    func arrival() {
        let profile = profile
        Response(.status("6", by: "ana", ["created_at": "2026-03-14T13:00:00Z"])).store(in: cache)
        #expect(profile.rows.map(\.id) == ["6", "5", "3", "1"])
        #expect(profile.takeUpdates().map(\.joined) == [["6"]])
        cache.update(Status.self, id: "6") { $0.toggleFavourite() }
        #expect(profile.takeUpdates() == [ScreenUpdate(rendered: ["6"])])
    }

    @Test("shows a status of its feed as soon as it is stored")
    func lateArrival() {
        let screen = Screen(.home(["6", "1"]), in: cache, renderer: renderer)
        #expect(screen.rows.map(\.id) == ["1"])
        Response(.status("6", by: "cy")).store(in: cache)
        #expect(screen.rows.map(\.id) == ["6", "1"])
        #expect(screen.rows.first?.lines.first == "cy")
    }

    @Test("is not told of what it doesn't show")
    func silence() {
        let profile = profile
        cache.update(Account.self, id: "bo") { $0.displayName = "Bo" }
        cache.update(Status.self, id: "2") { $0.toggleFavourite() }
        cache.update(Status.self, id: "1") { $0.favouritesCount += 0 }
        #expect(profile.takeUpdates() == [])
    }

    @Test("can go while the cache stays")
    func release() {
        weak var gone: Screen?
        do {
            let screen = home
            gone = screen
            #expect(gone != nil)
        }
        #expect(gone == nil)
        cache.update(Status.self, id: "1") { $0.toggleFavourite() }
    }

    @Test("shows the last state after changes from many threads")
    func concurrency() async {
        let (home, profile) = (home, profile)
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<50 {
                        cache.update(Status.self, id: "1") { $0.favouritesCount += 1 }
                        cache.update(Account.self, id: "ana") { $0.displayName += "!" }
                    }
                }
            }
        }
        #expect(home.rows.first?.lines.last == "  400 favourites")
        #expect(profile.rows.last?.lines.last == "  400 favourites")
        #expect(home.rows.first?.lines.filter { $0.hasPrefix("!") }.joined().count == 400)
    }
}
