import FlatCache
import Testing

@testable import MastodonTimeline

extension FlatCache {
    /// A cache that holds a response, and lists its statuses as "home".
    convenience init(storing document: JSON) {
        self.init()
        store(document)
    }

    /// Stores a response, and lists its statuses as "home".
    @discardableResult
    func store(_ document: JSON) -> StoredPayload<Document>? {
        do {
            let stored = store(try Response(data: document.data, name: "A document").payload(of: Document.self))
            list("home", of: Status.self).append(ids: stored.value?.statusIDs ?? [])
            return stored
        } catch {
            Issue.record(error)
            return nil
        }
    }

    /// The statuses that are listed as "home".
    var home: [Status.ID] { Array(list("home", of: Status.self).ids) }
}

extension SampleServer {
    convenience init(timeline: JSON, pageSize: Int = 20, unpublishedCount: Int = 0) {
        self.init(timeline: timeline.data, pageSize: pageSize, unpublishedCount: unpublishedCount)
    }
}

extension Server {
    /// A server that gives one response after the other.
    init(answers: [JSON]) {
        let answers = Locked(answers)
        self.init { request throws(LoadingError) in
            Response(data: answers.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }.data, name: request.path)
        }
    }
}
