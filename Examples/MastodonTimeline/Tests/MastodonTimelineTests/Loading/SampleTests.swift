import FlatCache
import Foundation
import Testing

@testable import MastodonTimeline

@Suite("The sample timeline")
struct SampleTests {
    private let cache = FlatCache()

    @Test("is read whole")
    func wholeness() async throws {
        let stored = cache.store(try await Source.sample.load().payload(of: Document.self))
        #expect(LeftOut(stored.problems) == nil)
        #expect(cache.allValues(of: Status.self).allSatisfy { $0.visibility != .unknown })
        #expect(
            cache.allValues(of: MediaAttachment.self).allSatisfy {
                $0.kind != .unknown && $0.description?.isEmpty == false
            }
        )
    }

    @Test("is in the order of time, newest first")
    func order() async throws {
        let page = cache.store(try await Source.sample.load().payload(of: [Status].self))
        let times = cache.get(Status.self, ids: page.statusIDs).map(\.createdAt)
        #expect(times.count == page.statusIDs.count)
        #expect(times == times.sorted(by: >))
    }

    @Test("has a gap in it: a boost of something that is not there")
    func gap() async throws {
        let page = cache.store(try Source.sampleTimeline().payload(of: [Status].self))
        let boosts = page.value?.compactMap(\.reblogID) ?? []
        #expect(cache.missingIDs(of: Status.self, among: boosts).count == 1)
    }
}
