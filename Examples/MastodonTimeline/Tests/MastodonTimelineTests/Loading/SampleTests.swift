import FlatCache
import Foundation
import Testing

@testable import MastodonTimeline

@Suite("The sample timeline")
struct SampleTests {
    @Test("is read whole")
    func wholeness() async throws {
        let response = try await Source.sample.load()
        #expect(response.unreadableCount == 0)
        #expect(
            response.statuses.allSatisfy { $0.createdAt != nil && $0.accountID != nil && $0.visibility != .unknown }
        )
        #expect(response.mediaAttachments.allSatisfy { $0.kind != .unknown && !$0.description.isEmpty })
    }

    @Test("is in the order of time, newest first")
    func order() async throws {
        let (cache, timeline) = try await FlatCache.sample()
        #expect(cache.get(Status.self, ids: timeline).sorted(by: Status.isNewer).map(\.id) == timeline)
    }

    @Test("has a gap in it: a boost of something that is not there")
    func gap() async throws {
        let (cache, timeline) = try await FlatCache.sample()
        let boosts = cache.get(Status.self, ids: timeline).compactMap(\.reblogID)
        #expect(cache.missingIDs(of: Status.self, in: boosts).count == 1)
    }
}
