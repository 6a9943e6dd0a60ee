import Testing

@testable import MastodonTimeline

@Suite("The tour")
struct TourTests {
    @Test("tells what the server was asked and what three screens did")
    func story() async throws {
        let lines = try await Tour(terminal: Terminal(width: 80)).lines()
        #expect(
            lines.joined(separator: "\n") == """
                What the cache is for

                Two windows show the home timeline. They know nothing of each other and read the
                same list of the same cache. The server is in this program; of whatever is
                nested in a post it tells the identifier alone.

                1. The first page is loaded.
                   The server was asked once: for a page.
                   Home added 20 posts, rendered each of them once and no other.
                   The second window added 20 posts, rendered each of them once and no other.

                2. The missing posts and accounts of its posts are fetched.
                   The server was asked 2 times: for 7 posts, for 8 accounts.
                   before    ↻ Unknown author boosted a post that is not here
                   meanwhile ↻ Unknown author boosted a post that is loading …
                   meanwhile ↻ Unknown author (loading …) boosted
                   after     ↻ Inês Quintela boosted
                   Home rendered 20 of 20 posts again.
                   The second window rendered 20 of 20 posts again.

                3. You scroll down, and an older page is loaded.
                   The server was asked once: for a page.
                   Home added 15 posts, rendered each of them once and no other.
                   The second window added 15 posts, rendered each of them once and no other.
                   The server was asked once: for 1 post.
                   Home rendered 1 of 35 posts again.
                   The second window rendered 1 of 35 posts again.
                   The server was asked once: for a page.
                   The page was empty: it is the end of the timeline.

                4. You pull down, and pages of newer posts are loaded until none is left.
                   The server was asked 2 times: for a page, for a page.
                   Home added 3 posts, rendered each of them once and no other.
                   The second window added 3 posts, rendered each of them once and no other.

                5. You open the profile of Baba Vesna, which shows another list.
                   The server was asked once: for a page.
                   The profile of @vesna added 7 posts, rendered each of them once and no other.
                   The windows weren't notified: they already show it.

                6. You favourite a post. All screens show it before the server has answered.
                   “@ines Column C is for people who bring courgettes to the…”
                   before  1 reply · 54 boosts · 307 favourites
                   at once 1 reply · 54 boosts · ★ 308 favourites · sending …
                   Home rendered 1 of 38 posts again.
                   The second window rendered 1 of 38 posts again.
                   The profile of @vesna rendered 1 of 7 posts again.
                   The server was asked once: for a change.
                   after   1 reply · 54 boosts · ★ 308 favourites
                   Home rendered 1 of 38 posts again.
                   The second window rendered 1 of 38 posts again.
                   The profile of @vesna rendered 1 of 7 posts again.

                7. You boost it. The server refuses, and all screens take it back.
                   before  1 reply · 54 boosts · ★ 308 favourites
                   at once 1 reply · ↻ 55 boosts · ★ 308 favourites · sending …
                   Home rendered 1 of 38 posts again.
                   The second window rendered 1 of 38 posts again.
                   The profile of @vesna rendered 1 of 7 posts again.
                   The server was asked once: for a change.
                   after   1 reply · 54 boosts · ★ 308 favourites
                           not sent: The server answered with error 503: out of order.
                   Home rendered 1 of 38 posts again.
                   The second window rendered 1 of 38 posts again.
                   The profile of @vesna rendered 1 of 7 posts again.

                8. You write a post. The server gives it another identifier.
                   at once You
                           @you · 14 Mar 2026, 16:31
                           Courgettes to give away.
                           sending …
                   Home added 1 post, rendered 1 of 39 posts again, of which 1 looks as before.
                   The second window added 1 post, rendered 1 of 39 posts again, of which 1
                   looks as before.
                   The server was asked 2 times: for a new post, for a page.
                   Home rendered 1 of 39 posts again.
                   The second window rendered 1 of 39 posts again.
                   A page brings the post before the answer. The row of draft-1 is that of
                   116228480041023635 now.
                   Home rendered 1 of 39 posts again.
                   The second window rendered 1 of 39 posts again.

                9. Baba Vesna puts a flower behind the name.
                   before  Baba Vesna
                   after   Baba Vesna 🌻
                   Home rendered 8 of 39 posts again.
                   The second window rendered 8 of 39 posts again.
                   The profile of @vesna rendered 7 of 7 posts again.

                10. A post by Baba Vesna is deleted.
                   “hello this is vesna how do i turn on the television”
                   Home dropped 1 post and keeps 38.
                   The second window dropped 1 post and keeps 38.
                   The profile of @vesna dropped 1 post and keeps 6.
                """
        )
    }
}
