import FlatCache
import Foundation
import Testing

@testable import MastodonTimeline

@Suite("The sample timeline")
struct SampleTests {
    @Test("is read whole")
    func wholeness() async throws {
        let response = try await Source.sample.load()
        #expect(response.leftOut == nil)
        #expect(
            response.statuses.allSatisfy { $0.createdAt != nil && $0.accountID != nil && $0.visibility != .unknown }
        )
        #expect(response.mediaAttachments.allSatisfy { $0.kind != .unknown && !$0.description.isEmpty })
    }

    @Test("is in the order of time, newest first")
    func order() async throws {
        let response = try await Source.sample.load()
        let statuses = Dictionary(response.statuses.map { ($0.id, $0) }) { first, _ in first }
        let times = response.timeline.compactMap { statuses[$0]?.createdAt }
        #expect(times.count == response.timeline.count)
        #expect(times == times.sorted(by: >))
    }

    @Test("has a gap in it: a boost of something that is not there")
    func gap() async throws {
        let cache = FlatCache(storing: try Source.sampleDocument())
        let boosts = cache.list("home", of: Status.self).values.compactMap(\.reblogID)
        #expect(cache.missingIDs(of: Status.self, among: boosts).count == 1)
    }
}
