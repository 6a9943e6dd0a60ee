import FlatCache
import Testing

@testable import MastodonTimeline

@Suite("The tour")
struct TourTests {
    @Test("tells what happened on two screens of the sample timeline")
    func sample() async throws {
        let (cache, timeline) = try await FlatCache.sample()
        let tour = try #require(Tour(of: timeline, in: cache, terminal: Terminal(width: 80)))
        #expect(
            tour.lines().joined(separator: "\n") == """
                Two screens are open. They know nothing of each other and read the same cache.
                   Home: 38 posts
                   Profile of @vesna: 8 posts

                1. You favourite a post on the home screen.
                   “@ines Column C is for people who bring courgettes to the k…”
                   before  1 reply · 54 boosts · 307 favourites
                   after   1 reply · 54 boosts · ★ 308 favourites
                   Home was told once, rendered 1 of 38 posts again.
                   Profile of @vesna was told once, rendered 1 of 8 posts again.

                2. Baba Vesna puts a flower behind the name.
                   before  Baba Vesna
                   after   Baba Vesna 🌻
                   Home was told once, rendered 8 of 38 posts again.
                   Profile of @vesna was told once, rendered 8 of 8 posts again.

                3. A post by Baba Vesna is deleted.
                   “hello this is vesna how do i turn on the television”
                   Home was told once, dropped 1 post and keeps 37.
                   Profile of @vesna was told once, dropped 1 post and keeps 7.

                Each change was one write, and the cache told the screens that show the entity.
                """
        )
    }

    @Test("needs an account with two statuses in the timeline")
    func tooLittle() {
        let cache = FlatCache(storing: [.status("1", by: "ana"), .status("2", by: "bo")])
        #expect(Tour(of: ["1", "2"], in: cache, terminal: Terminal(width: 80)) == nil)
        #expect(Tour(of: [], in: cache, terminal: Terminal(width: 80)) == nil)
    }
}
