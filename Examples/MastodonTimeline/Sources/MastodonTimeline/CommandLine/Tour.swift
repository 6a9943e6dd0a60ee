import FlatCache
import Foundation

/// A demonstration of what the cache is for: a timeline is loaded and changed, and three screens tell what they did.
///
/// Every number comes from the screens and from the server. The screens share nothing but the cache, and nobody tells the
/// one what happened on the other.
struct Tour {
    private let cache = FlatCache()
    private let server: SampleServer
    /// The same server, which has the screens looked at whenever it is asked: things are missing then, or being sent.
    private let watched: Server
    private let look = Locked<@Sendable () -> [String]>({ [] })
    /// What happens before the server answers.
    private let delay = Locked<@Sendable () async -> Void>({})
    private let sightings = Locked<[String]>([])
    private let terminal: Terminal
    private let renderer: StatusRenderer
    private let timeline: Timeline
    private let home: Screen
    private let window: Screen

    /// The columns to the left of a row, which hold a word about it.
    private static let margin = 13

    /// How many statuses are posted during the tour.
    private static let newCount = 3

    /// Opens two screens, which are empty as yet.
    init(terminal: Terminal) throws(LoadingError) {
        self.terminal = terminal
        server = SampleServer(timeline: try Source.sampleTimeline().data, unpublishedCount: Tour.newCount)
        renderer = StatusRenderer(terminal: terminal.narrower(by: Tour.margin))
        timeline = Timeline("home", of: .publicTimeline, from: server.server, in: cache)
        home = Screen("Home", showing: timeline.list, in: cache, renderer: renderer)
        window = Screen("The second window", showing: cache.list("home"), in: cache, renderer: renderer)
        watched = Server { [sample = server.server, look, delay, sightings] request throws(LoadingError) in
            let seen = look.withLock { $0 }()
            sightings.withLock { $0 += seen }
            let response = try await sample.answer(request)
            await delay.withLock { $0 }()
            return response
        }
        cache.setFetchers(asking: watched)
    }

    /// Makes the changes, and returns the story of what happened.
    func lines() async throws(LoadingError) -> [String] {
        var chapters = [opening]
        chapters.append(try await firstPage())
        chapters.append(await missing())
        chapters.append(try await olderPages())
        chapters.append(try await newerPage())
        if let author = mostProlific() { chapters += try await changes(of: author) }
        return terminal.lines("What the cache is for", .bold) + [""] + chapters.joined(separator: [""])
    }

    /// Opens a third screen, with the profile of an account, and changes what it shows.
    private func changes(of author: Account) async throws(LoadingError) -> [[String]] {
        let posts = Timeline("posts by \(author.id)", of: .statuses(by: author.id), from: server.server, in: cache)
        let title = "The profile of @\(author.handle)"
        let profile = Screen(title, showing: posts.list, in: cache, renderer: renderer)
        let opened = try await opening(profile, of: author, posts)
        guard let newest = posts.list.values.first, let oldest = posts.list.values.last else { return [opened] }
        let reader = try await Reader.signIn(on: watched, in: cache)
        _ = server.takeRequests()
        return [
            opened, await favouriting(newest, reader, profile), await boosting(newest, reader, profile),
            await posting(reader, profile), renaming(author, newest, profile), deleting(oldest, author, profile),
        ]
    }

    // MARK: Loading

    private var opening: [String] {
        terminal.lines(
            """
            Two windows show the home timeline. They know nothing of each other and read the same list of the same cache. \
            The server is in this program; of whatever is nested in a post it tells the identifier alone.
            """
        )
    }

    private func firstPage() async throws(LoadingError) -> [String] {
        try await timeline.loadOlder()
        return heading("1. The first page is loaded.") + requests() + reports()
    }

    private func missing() async -> [String] {
        let boost = home.rows.first(where: \.isBoost)
        let meanwhile = await sightings(of: { [home] in
            home.rows.first(where: \.isBoost).map { ["   meanwhile " + $0.headline] } ?? []
        }) {
            await complete()
        }
        let heading = heading("2. The missing posts and accounts of its posts are fetched.") + requests()
        guard let boost else { return heading + reports() }
        let after = home.lines(of: boost.id).first ?? ""
        return heading + ["   before    " + boost.headline] + meanwhile + ["   after     " + after] + reports()
    }

    private func olderPages() async throws(LoadingError) -> [String] {
        let known = timeline.list.count
        try await timeline.loadOlder()
        let added = heading("3. You scroll down, and an older page is loaded.") + requests() + reports()
        await complete(from: known)
        let completed = requests() + reports()
        try await timeline.loadOlder()
        let end = timeline.hasOlder ? "" : "The page was empty: it is the end of the timeline."
        return added + completed + requests() + indented(end)
    }

    private func newerPage() async throws(LoadingError) -> [String] {
        server.publishAll()
        while try await timeline.loadNewer() {}
        await complete(to: Tour.newCount)
        return heading("4. You pull down, and pages of newer posts are loaded until none is left.") + requests()
            + reports()
    }

    private func opening(_ profile: Screen, of author: Account, _ list: Timeline) async throws(LoadingError) -> [String]
    {
        try await list.loadOlder()
        let heading = heading("5. You open the profile of \(author.name), which shows another list.")
        let silence = home.takeUpdate() == ScreenUpdate() ? "The windows weren't notified: they already show it." : ""
        return heading + requests() + reports(profile) + indented(silence)
    }

    /// Fetches what is missing around some of the statuses.
    private func complete(from start: Int = 0, to end: Int = .max) async {
        let ids = timeline.list.ids.prefix(end).dropFirst(start)
        try? await cache.fetchWhatIsShown(with: cache.get(ids: ids))
    }

    // MARK: Sending

    private func favouriting(_ status: Status, _ reader: Reader, _ profile: Screen) async -> [String] {
        let change = await sending(status.id, profile) { reader.setFavourited(status.id, true) }
        return heading("6. You favourite a post. All screens show it before the server has answered.")
            + excerpt(of: status) + change
    }

    private func boosting(_ status: Status, _ reader: Reader, _ profile: Screen) async -> [String] {
        let request = APIRequest.boost(status.id, true)
        server.fail(request.path, with: .refused("The server", status: 503, reason: "out of order"))
        let change = await sending(status.id, profile) { reader.setBoosted(status.id, true) }
        return heading("7. You boost it. The server refuses, and all screens take it back.") + change
    }

    private func posting(_ reader: Reader, _ profile: Screen) async -> [String] {
        let time = timeline.list.values.first?.createdAt ?? .now
        let refreshed = Locked<[String]>([])
        delay.withLock {
            $0 = { [self] in
                _ = try? await timeline.loadNewer()
                let id = cache.currentID(of: Status.self, "draft-1")
                let story = "A page brings the post before the answer. The row of draft-1 is that of \(id) now."
                refreshed.withLock { [self] in $0 = indented(story) + reports(profile) }
            }
        }
        let change = await sending("draft-1", profile) {
            reader.post("Courgettes to give away.", to: timeline.list, key: "draft-1", at: time)
        }
        delay.withLock { $0 = {} }
        return heading("8. You write a post. The server gives it another identifier.") + change
            + refreshed.withLock { $0 }
    }

    /// Lets the reader change something, and returns what its row shows before, while the server is asked, and then.
    private func sending(
        _ id: Status.ID,
        _ profile: Screen,
        _ change: () -> Mutation<StoredPayload<Status>>
    ) async -> [String] {
        let before = home.lines(of: id)
        let pending = Locked<[String]>([])
        var lines = await sightings(of: { [self] in
            let lines = window.lines(of: id)
            pending.withLock { $0 = lines }
            return row("before", before, unlike: lines) + row("at once", lines, unlike: before) + reports(profile)
        }) {
            _ = try? await change().value
        }
        lines += requests()
        return lines + row("after", home.lines(of: id), unlike: pending.withLock { $0 }) + reports(profile)
    }

    /// Returns what the screens show whenever the server is asked during a body.
    private func sightings(
        of look: @escaping @Sendable () -> [String],
        during body: () async -> Void
    ) async -> [String] {
        self.look.withLock { $0 = look }
        await body()
        self.look.withLock { $0 = { [] } }
        return sightings.withLock { sightings in
            defer { sightings = [] }
            return sightings
        }
    }

    // MARK: Changing

    private func renaming(_ author: Account, _ status: Status, _ profile: Screen) -> [String] {
        let change = change(of: status, on: home) {
            cache.update(Account.self, id: author.id) { $0.displayName = $0.name + " 🌻" }
        }
        return heading("9. \(author.name) puts a flower behind the name.") + change + reports(profile)
    }

    private func deleting(_ status: Status, _ author: Account, _ profile: Screen) -> [String] {
        cache.remove(Status.self, id: status.id)
        return heading("10. A post by \(author.name) is deleted.") + excerpt(of: status) + reports(profile)
    }

    /// Makes a change, and returns the lines of a status's row that differ: as they were and as they are.
    private func change(of status: Status, on screen: Screen, by change: () -> Void) -> [String] {
        let before = screen.lines(of: status.id)
        change()
        let after = screen.lines(of: status.id)
        return row("before", before, unlike: after) + row("after", after, unlike: before)
    }

    /// Returns the lines of a row that differ from what it shows at another time.
    private func row(_ time: String, _ lines: [String], unlike others: [String]) -> [String] {
        lines.filter { !$0.isEmpty && !others.contains($0) }.enumerated().map { index, line in
            let margin = (index == 0 ? time : "").padding(toLength: 8, withPad: " ", startingAt: 0)
            return "   " + margin + line.drop { $0 == " " }
        }
    }

    /// The account in the timeline with the most posts of its own.
    private func mostProlific() -> Account? {
        let authors = Set(timeline.list.values.map(\.accountID))
        return cache.get(Account.self, ids: authors).max {
            ($0.ownCount(in: cache), $0.id) < ($1.ownCount(in: cache), $1.id)
        }
    }

    // MARK: The words

    private func heading(_ text: String) -> [String] { terminal.lines(text, .bold) }

    private func excerpt(of status: Status) -> [String] { indented(renderer.excerpt(of: status)) }

    private func indented(_ text: String) -> [String] { terminal.lines(text, indentation: 3) }

    private func requests() -> [String] {
        let requests = server.takeRequests()
        guard !requests.isEmpty else { return [] }
        let times = requests.count == 1 ? "once" : requests.count.counted("time", "times")
        return indented("The server was asked \(times): for \(requests.map(\.wish).joined(separator: ", for ")).")
    }

    private func reports(_ profile: Screen? = nil) -> [String] {
        [home, window, profile].compactMap { $0 }.flatMap { screen in
            screen.takeUpdate().report(remaining: screen.rows.count).map { indented("\(screen.title) \($0)") } ?? []
        }
    }
}

extension Account {
    /// The number of stored statuses of the account that boost no other.
    fileprivate func ownCount(in cache: FlatCache) -> Int { statuses(in: cache).count { $0.reblogID == nil } }
}

extension Screen.Row {
    fileprivate var headline: String { lines.first ?? "" }
    fileprivate var isBoost: Bool { headline.hasPrefix("↻") }
}

extension APIRequest {
    /// What it asks for, as a part of a sentence.
    fileprivate var wish: String {
        if method == .post { return path.hasSuffix("/statuses") ? "a new post" : "a change" }
        let count = values(of: "id[]").count
        if count == 0 { return "a page" }
        return path.hasSuffix("/accounts") ? count.counted("account", "accounts") : count.counted("post", "posts")
    }
}
