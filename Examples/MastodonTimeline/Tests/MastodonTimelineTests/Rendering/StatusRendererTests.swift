import FlatCache
import Testing

@testable import MastodonTimeline

@Suite("A rendered status")
struct StatusRendererTests {
    @Test("has author, time, text and counts")
    func plain() {
        let status: JSON = .status(
            "1",
            [
                "account": ["id": "ana", "acct": "ana@example.org", "display_name": "Ana\n Lima"],
                "content": "<p>Good &amp; <b>morning</b>.</p>",
                "replies_count": 1, "reblogs_count": 2, "favourites_count": 3,
            ]
        )
        #expect(
            rendered("1", of: status) == """
                Ana Lima
                @ana@example.org · 14 Mar 2026, 12:00

                  Good & morning.

                  1 reply · 2 boosts · 3 favourites
                """
        )
    }

    @Test("says that a change of it is being sent, and then why it was refused")
    func sending() async {
        let cache = FlatCache(storing: [.status("1", ["reblogs_count": 1])])
        let renderer = StatusRenderer(terminal: Terminal(width: 80))
        let gate = Gate()
        let error = LoadingError.timedOut("The server")
        let mutation = cache.mutate(Status.self, id: "1") {
            $0.setBoosted(true)
        } send: {
            await gate.wait()
            throw error
        }
        let lines = { FlatCache.withCurrent(cache) { Array(renderer.lines(showing: "1").dropFirst(4)) } }
        #expect(lines() == ["", "  ↻ 2 boosts · sending …"])
        gate.open()
        await #expect(throws: error) { try await mutation.value }
        #expect(lines() == ["", "  1 boost", "  not sent: The server did not answer in time."])
    }

    @Test("says who can see it, that it was edited, what it warns of and whether you like it")
    func marks() {
        let status: JSON = .status(
            "1",
            [
                "visibility": "private", "edited_at": "2026-03-14T12:01:00Z", "spoiler_text": "spiders",
                "sensitive": true, "media_attachments": [["id": "m", "type": "image", "description": nil]],
                "favourites_count": 1, "favourited": true,
            ]
        )
        #expect(
            rendered("1", of: status) == """
                ana
                @ana · 14 Mar 2026, 12:00 · followers only · edited

                  Content warning: spiders
                  Hello

                  [image, sensitive] not described

                  ★ 1 favourite
                """
        )
    }

    @Test("has a bar for each answer of a poll")
    func poll() {
        let poll: JSON = .poll(
            "p",
            [
                "multiple": true, "voters_count": 4, "votes_count": 6, "own_votes": [0],
                "expires_at": "2026-03-15T08:00:00Z",
                "options": [
                    ["title": "Tea", "votes_count": 4], ["title": "Rain, but the warm kind", "votes_count": 1],
                    ["title": "Fog"],
                ],
            ]
        )
        #expect(
            rendered("1", of: .status("1", ["poll": poll]), width: 40) == """
                ana
                @ana · 14 Mar 2026, 12:00

                  Hello

                  ██████████ 100%  Tea ✓
                  ███░░░░░░░ 25%   Rain, but the warm
                                   kind
                  ░░░░░░░░░░ ?     Fog
                  4 people voted · several answers
                  possible · open until 15 Mar 2026,
                  08:00
                """
        )
    }

    @Test("shows the status that it boosts, or that this is not here")
    func boosts() {
        let boost: JSON = .status("1", by: "bo", ["content": "", "reblog": .status("2")])
        #expect(rendered("1", of: boost) == "↻ bo boosted\nana\n@ana · 14 Mar 2026, 12:00\n\n  Hello")
        let dangling: JSON = .status("1", by: "bo", ["content": "", "reblog": ["id": "2"]])
        #expect(rendered("1", of: dangling) == "↻ bo boosted a post that is not here")
    }

    @Test(
        "shows what it quotes, or why that isn't to be seen",
        arguments: [
            (
                [
                    "state": "accepted",
                    "quoted_status": .status("2", by: "bo", ["content": "<p>More than a line.</p>"]),
                ],
                "  ❝ quotes bo\n  “More than a line.”"
            ),
            (
                ["state": "accepted", "quoted_status": .status("2", by: "bo", ["content": ""])],
                "  ❝ quotes bo"
            ),
            (["state": "accepted", "quoted_status_id": "2"], "  ❝ quotes a post that is not here"),
            (["state": "pending", "quoted_status": nil], "  ❝ quotes a post that is not shown: pending"),
            (
                ["state": "muted_account", "quoted_status": .status("2", by: "bo")],
                "  ❝ quotes a post that is not shown: muted account"
            ),
        ] as [(JSON, String)]
    )
    func quotes(quote: JSON, lines: String) {
        let text = rendered("1", of: .status("1", ["quote": quote]))
        #expect(text == "ana\n@ana · 14 Mar 2026, 12:00\n\n  Hello\n\n\(lines)")
    }

    @Test(
        "names whom it replies to, as far as that is known",
        arguments: [
            ([.status("2", by: "bo")], "@bo: “Hello”"),
            ([.status("2", by: "bo", ["content": ""])], "@bo"),
            ([.account("bo")], "@bo"),
            ([], "a post that is not here"),
        ] as [([JSON], String)]
    )
    func replies(others: [JSON], addressee: String) {
        let reply: JSON = .status("1", ["in_reply_to_id": "2", "in_reply_to_account_id": "bo"])
        let lines = rendered("1", of: .array(others + [reply])).split(separator: "\n")
        #expect(lines.contains("↳ in reply to \(addressee)"))
    }

    @Test("names whom it replies to by its own mention of them")
    func replyToMentioned() {
        let reply: JSON = .status(
            "1",
            [
                "in_reply_to_id": "2", "in_reply_to_account_id": "bo",
                "mentions": [.mention("cy"), .mention("bo", handle: "bo@example.org")],
            ]
        )
        #expect(rendered("1", of: reply).contains("↳ in reply to @bo@example.org\n"))
    }

    @Test("names an author who is known only by a mention by the handle, until the rest is there")
    func mentionedAuthor() {
        let mention: JSON = .status("2", by: "bo", ["mentions": [.mention("ana", handle: "ana@example.org")]])
        let status: JSON = .status("1", ["account": ["id": "ana"]])
        let heading = "ana@example.org\n@ana@example.org · 14 Mar 2026, 12:00\n"
        #expect(rendered("1", of: [mention, status]).hasPrefix(heading))
        let whole: JSON = .account("ana", name: "Ana", ["acct": "ana@example.org"])
        #expect(rendered("1", of: [mention, status, whole]).hasPrefix("Ana\n@ana@example.org"))
    }

    @Test("begins a long quotation of what it replies to, and leaves out one that would be too short")
    func quotation() {
        let original: JSON = .status("2", by: "bo", ["content": "<p>What shall I do with the courgettes?</p>"])
        let reply: JSON = .status("1", ["in_reply_to_id": "2", "in_reply_to_account_id": "bo"])
        let lines = [60, 40, 38].map { width in
            rendered("1", of: [original, reply], width: width).split(separator: "\n").filter { $0.hasPrefix("↳") }
        }
        #expect(lines[0] == ["↳ in reply to @bo: “What shall I do with the courgettes?”"])
        #expect(lines[1] == ["↳ in reply to @bo: “What shall I do wi…”"])
        #expect(lines[2] == ["↳ in reply to @bo"])
    }

    @Test("shows what is there when the rest is missing")
    func gaps() {
        let hello: JSON = .status("1", ["account": ["id": "ana"]])
        #expect(rendered("1", of: hello) == "Unknown author\n14 Mar 2026, 12:00\n\n  Hello")
        let silent: JSON = .status("1", ["account": ["id": "ana"], "content": ""])
        #expect(rendered("1", of: silent) == "Unknown author\n14 Mar 2026, 12:00")
    }

    @Test("says of what is missing that it is loading, or why it could not be loaded")
    func loading() async {
        let cache = FlatCache(storing: [
            .status("1", by: "bo", ["content": "", "reblog": ["id": "2"]]),
            .status("3", ["account": ["id": "cy"]]),
        ])
        let renderer = StatusRenderer(terminal: Terminal(width: 80))
        let headlines: @Sendable () -> [String] = { [unowned cache] in
            FlatCache.withCurrent(cache) { ["1", "3"].compactMap { renderer.lines(showing: $0).first } }
        }
        let meanwhile = Locked<[[String]]>([])
        cache.setFetchers(
            asking: Server { request throws(LoadingError) in
                meanwhile.withLock { $0.append(headlines()) }
                throw .timedOut("It")
            }
        )
        #expect(headlines() == ["↻ bo boosted a post that is not here", "Unknown author"])
        try? await cache.fetchWhatIsShown(with: cache.get(ids: ["1", "3"]))
        let failures = [
            "↻ bo boosted a post that could not be loaded: It did not answer in time.",
            "Unknown author (could not be loaded: It did not answer in time.)",
        ]
        #expect(headlines() == failures)
        #expect(
            meanwhile.withLock { $0 } == [
                ["↻ bo boosted a post that is loading …", "Unknown author"],
                [failures[0], "Unknown author (loading …)"],
            ]
        )
    }

    @Test("keeps colour codes out of what people write")
    func safety() {
        let status: JSON = .status("1", ["content": "<p>\u{1B}]0;title\u{7}&#27;[31mred</p>"])
        #expect(!rendered("1", of: status).contains("\u{1B}"))
    }

    private func rendered(_ id: Status.ID, of document: JSON, width: Int = 80) -> String {
        let cache = FlatCache(storing: document)
        return FlatCache.withCurrent(cache) {
            let renderer = StatusRenderer(terminal: Terminal(width: width))
            return cache.get(Status.self, id: id).map { renderer.lines(for: $0).joined(separator: "\n") } ?? ""
        }
    }
}
