import Foundation

@testable import FlatCache

extension PrintedValue {
    static let payloads: [PrintedValue] = [
        PrintedValue("Payload", "Payload<Swift.Array<T.Cook>>: 2 entities of 1 type, 1 problem") { _ in try cooks() },
        PrintedValue("Payload", "Payload<Swift.String>: 0 entities") { _ in
            try decoded(Payload<String>.self, #""a""#)
        },
        PrintedValue("StoredPayload", "StoredPayload<Swift.Array<T.Cook>>: 2 entities of 1 type, 1 problem") { cache in
            cache.store(try cooks())
        },
        PrintedValue("StoredPayload", "StoredPayload<Swift.Array<T.Cook>>: not modified") { cache in
            try await cache.load { () throws -> Payload<[Cook]> in throw FlatCache.NotModified() }
        },
        PrintedValue("FlatPayload", "FlatPayload: 1 entity of 1 type, 1 unknown name") { _ in
            try decoded(
                FlatPayload<Cook>.self,
                #"{"cooks": [{"id": "1", "name": "A", "toastIDs": []}], "tags": {"a": {}}}"#
            )
        },
        PrintedValue(
            "PayloadProblem",
            "[1]: can't read Cook: Expected to decode Dictionary<String, Any> but found number instead."
        ) { _ in
            try cooks().problems[0]
        },
        PrintedValue(
            "PayloadProblem.Reason",
            "unreadable: Expected to decode Dictionary<String, Any> but found number instead."
        ) { _ in
            try cooks().problems[0].reason
        },
        PrintedValue("Omittable", "absent") { _ in Omittable<Int>(wrappedValue: nil) },
        PrintedValue("Omittable", "value(3)") { _ in Omittable(wrappedValue: 3) },
        PrintedValue("Omittable.State", "null") { _ in Omittable<Int>.State.null },
    ]

    static let documents: [PrintedValue] = [
        PrintedValue("JSONAPI.Document", "JSONAPI.Document<T.Cook>: 1 entity of 1 type, 1 problem, 1 unknown type") {
            _ in
            try document()
        },
        PrintedValue("JSONAPI.Identifier", "cooks 1") { _ in try document().identifiers[0] },
        PrintedValue("JSONAPI.Identifier", "cooks with lid a") { _ in
            try decoded(JSONAPI.Identifier.self, #"{"type": "cooks", "lid": "a"}"#)
        },
        PrintedValue("JSONAPI.Implementation", "JSONAPI.Implementation: version 1.1") { _ in
            try some(document().jsonapi)
        },
        PrintedValue("JSONAPI.Links", "JSONAPI.Links: next, self") { _ in try document().links },
        PrintedValue("JSONAPI.Link", "JSONAPI.Link: /next") { _ in try some(document().links["next"]) },
        PrintedValue("JSONAPI.Relationship", "JSONAPI.Relationship: 1 identifier") { _ in
            try decoded(JSONAPI.Relationship.self, #"{"data": [{"type": "cooks", "id": "1"}]}"#)
        },
        PrintedValue("JSONAPI.Relationship", "JSONAPI.Relationship: no data") { _ in
            try decoded(JSONAPI.Relationship.self, "{}")
        },
        PrintedValue("JSONAPI.Value", #"{"count": 3, "names": ["a\nb", null]}"#) { _ in try some(document().meta) },
        PrintedValue("JSONAPI.Violation", "the document has cooks 1 more than once") { _ in
            JSONAPI.Violation.duplicate(try document().identifiers[0])
        },
        PrintedValue("JSONAPI.ErrorDocument", "422: Invalid: No title (/data/title); 500") { _ in try errors() },
        PrintedValue("JSONAPI.ErrorObject", "422: Invalid: No title (/data/title)") { _ in try errors().errors[0] },
        PrintedValue(
            "JSONAPI.ErrorObject.Source",
            #"Source(pointer: Optional("/data/title"), parameter: nil, header: nil)"#
        ) { _ in
            try some(errors().errors[0].source)
        },
    ]

    static let declarations: [PrintedValue] = [
        PrintedValue("FlatCache.AnyRelationship", "FlatCache.AnyRelationship<T.Toast>: hostID") { _ in
            Toast.allRelationships[0]
        },
        PrintedValue("FlatCache.DeleteRule", "FlatCache.DeleteRule<T.Toast>: T.Cook") { _ in
            FlatCache.DeleteRule<Toast>(\.host, .nullify)
        },
        PrintedValue("FlatCache.DeleteRule.Action", "nullify") { _ in FlatCache.DeleteRule<Toast>.Action.nullify },
        PrintedValue("FlatCache.Index", #"FlatCache.Index<T.Toast>: \Toast.title, unique"#) { _ in
            FlatCache.Index(\Toast.title, isUnique: true)
        },
        PrintedValue(
            "FlatCache.Inverse",
            #"FlatCache.Inverse<T.Toast>: FlatCache.Relationship<T.Toast>("cookIDs"): T.Cook"#
        ) { _ in FlatCache.Inverse<Toast>(\.cooks, \.toasts) },
        PrintedValue("FlatCache.PayloadKey", #"FlatCache.PayloadKey<T.Toast>("host_id")"#) { _ in
            FlatCache.PayloadKey<Toast>("host_id", \.hostID)
        },
        PrintedValue("FlatCache.Relationship", #"FlatCache.Relationship<T.Toast>("hostID"): T.Cook"#) { _ in
            Toast.relationships.host
        },
        PrintedValue("FlatCache.Relationship", "FlatCache.Relationship<T.Toast>: T.Toast") { _ in
            Toast.relationships.cooks.toasts
        },
        PrintedValue(
            "RelationshipError",
            """
            'cookIDs' of T.Toast("1") refers to T.Cook("1"), T.Cook("2"), T.Cook("3"), T.Cook("4"), T.Cook("5") \
            and 1 more, which are not stored; store or fetch them first
            """
        ) { _ in
            let missing = (1...6).map { Cook.flatCacheKey(id: "\($0)") }
            return RelationshipError.relatedMissing(
                property: "cookIDs",
                owner: Toast.flatCacheKey(id: "1"),
                missing: missing
            )
        },
        PrintedValue("Merge", "Merge<T.Toast>: replace") { _ in Toast.merge },
        PrintedValue("Merge", "Merge<T.Toast>: combine") { _ in Merge<Toast>.newest(by: \.likes) },
        PrintedValue("KeptMutation", #"KeptMutation("rename"): 8f, the server refuses"#) { _ in
            KeptMutation(name: "rename", idempotencyKey: "8f", error: Rejection())
        },
    ]

    private static func cooks() throws -> Payload<[Cook]> {
        let cooks = #"{"id": "1", "name": "A", "toastIDs": []}, 3, {"id": "2", "name": "B", "toastIDs": []}"#
        return try decoded(Payload<[Cook]>.self, "[\(cooks)]")
    }

    private static func document() throws -> JSONAPI.Document<Cook> {
        try decoded(
            JSONAPI.Document<Cook>.self,
            """
            {"data": {"type": "cooks", "id": "1", "attributes": {"name": "A"},
              "relationships": {"toastIDs": {"data": []}}},
             "included": [{"type": "tables", "id": "2"}], "jsonapi": {"version": "1.1"},
             "links": {"self": "/", "next": {"href": "/next"}}, "meta": {"count": 3, "names": ["a\\nb", null]}}
            """
        )
    }

    private static func errors() throws -> JSONAPI.ErrorDocument {
        let first =
            #"{"status": "422", "title": "Invalid", "detail": "No title", "source": {"pointer": "/data/title"}}"#
        return try decoded(JSONAPI.ErrorDocument.self, #"{"errors": [\#(first), {"status": "500"}]}"#)
    }
}
