import FlatCache

@testable import MastodonTimeline

extension FlatCache {
    /// A cache that holds a response, and lists its statuses as "home".
    convenience init(storing document: JSON) {
        self.init()
        let response = Response(document)
        response.store(in: self)
        list("home", of: Status.self).append(ids: response.timeline)
    }
}
