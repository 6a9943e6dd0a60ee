import FlatCache

@testable import MastodonTimeline

extension FlatCache {
    /// A cache that holds a response.
    convenience init(storing document: JSON) {
        self.init()
        Response(document).store(in: self)
    }

    /// A cache that holds the sample timeline, and the statuses that this lists.
    static func sample() async throws -> (cache: FlatCache, timeline: [Status.ID]) {
        let response = try await Source.sample.load()
        let cache = FlatCache()
        response.store(in: cache)
        return (cache, response.timeline)
    }
}
