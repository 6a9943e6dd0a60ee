import FlatCache
import Foundation
import Synchronization
import Testing

@Suite("Origins of payloads")
struct PayloadOriginTests {
    private let cache = FlatCache()

    /// A way to store something of a server.
    enum Storing: CaseIterable {
        case payload, strictPayload, patch, strictPatch, patches, strictPatches, replace, append, prepend, insert

        /// Stores something, with an origin or with the default.
        func store(in cache: FlatCache, from origin: FlatCache.Origin?) throws {
            let json = Data(#"[{"id": "1", "text": "new", "writer": {"id": 7, "name": "W"}}]"#.utf8)
            let payload = try JSONDecoder().decode(Payload<[Remark]>.self, from: json)
            let patch = RemarkPatch(id: "1")
            let list = cache.list("remarks", of: Remark.self)
            switch (self, origin) {
            case (.payload, let origin?): cache.store(payload, origin: origin)
            case (.payload, nil): cache.store(payload)
            case (.strictPayload, let origin?): try cache.store(payload, strict: true, origin: origin)
            case (.strictPayload, nil): try cache.store(payload, strict: true)
            case (.patch, let origin?): cache.store(patch, origin: origin)
            case (.patch, nil): cache.store(patch)
            case (.strictPatch, let origin?): try cache.store(patch, strict: true, origin: origin)
            case (.strictPatch, nil): try cache.store(patch, strict: true)
            case (.patches, let origin?): cache.store([patch], origin: origin)
            case (.patches, nil): cache.store([patch])
            case (.strictPatches, let origin?): try cache.store([patch], strict: true, origin: origin)
            case (.strictPatches, nil): try cache.store([patch], strict: true)
            case (.replace, let origin?): list.replace(with: payload, origin: origin)
            case (.replace, nil): list.replace(with: payload)
            case (.append, let origin?): list.append(contentsOf: payload, origin: origin)
            case (.append, nil): list.append(contentsOf: payload)
            case (.prepend, let origin?): list.prepend(contentsOf: payload, origin: origin)
            case (.prepend, nil): list.prepend(contentsOf: payload)
            case (.insert, let origin?): list.insert(contentsOf: payload, before: nil, origin: origin)
            case (.insert, nil): list.insert(contentsOf: payload, before: nil)
            }
        }
    }

    struct RemarkPatch: EntityPatch {
        let id: String

        func apply(to remark: inout Remark) { remark.replyIDs = (remark.replyIDs ?? []) + ["r"] }
    }

    /// The origins of the changes of remarks during a body.
    private func origins(_ body: () throws -> Void) rethrows -> [Set<FlatCache.Origin>] {
        cache.set(Remark(id: "1", text: "old", writerID: nil, replyIDs: nil))
        let seen = Mutex<[Set<FlatCache.Origin>]>([])
        let subscription = cache.observe(all: Remark.self) { changes in seen.withLock { $0.append(changes.origins) } }
        try body()
        subscription.cancel()
        return seen.withLock { $0 }
    }

    @Test("A payload or a patch comes from the server, or from the origin that is named", arguments: Storing.allCases)
    func storing(_ storing: Storing) throws {
        #expect(try origins { try storing.store(in: cache, from: nil) } == [[.server]])
        #expect(try origins { try storing.store(in: cache, from: .restore) } == [[.restore]])
        let own = FlatCache.Origin("import")
        #expect(try origins { try storing.store(in: cache, from: own) } == [[own]])
    }

    @Test("In a transaction, the origin of the transaction counts", arguments: Storing.allCases)
    func inTransaction(_ storing: Storing) throws {
        #expect(try origins { try cache.transaction { try storing.store(in: cache, from: nil) } } == [[.user]])
        let origin = FlatCache.Origin("import")
        let seen = try origins {
            try cache.transaction(origin: origin) { try storing.store(in: cache, from: .restore) }
        }
        #expect(seen == [[origin]])
    }
}
