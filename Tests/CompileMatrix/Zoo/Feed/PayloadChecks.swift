package import Accounts
import FlatCache
internal import Foundation

/// Decodes entities by their generated tables, and checks what is stored.
package func checkPayloads(_ checks: inout Checks) throws {
    let cache = FlatCache()
    let decoder = JSONDecoder()
    let whole = """
        {"id": 1, "label": "first", "weight": 1.5, "level": {"wrappedValue": 2}, "floor": {"wrappedValue": 3},
        "secret": null, "class": 4, "Route_id": null, "item_id": 5, "senderID": "u", "stamp_ids": [
            {"id": 6, "itemID": 7, "price": {"cents": 8}, "color": "red"}, 9
        ], \(wayMember)}
        """
    let first = cache.store(try decoder.decode(Payload<Parcel>.self, from: Data(whole.utf8)))
    checks.expect(first.problems.isEmpty, "nothing is lost: \(first.problems)")
    let parcel = cache.get(Parcel.self, id: 1)
    checks.expect(parcel?.weight == 1.5 && parcel?.level == 2 && parcel?.stampIDs == [6, 9], "an entity is stored")
    checks.expect(cache.get(Stamp.self, id: 6)?.itemID == 7, "with its related ones")
    checks.expect(cache.get(Stamp.self, id: 9) == nil, "but not those of which only the identifier is known")

    let partial = cache.store(try decoder.decode(Payload<Parcel>.self, from: Data(#"{"id": 1, "class": null}"#.utf8)))
    checks.expect(partial.problems.isEmpty, "nothing is missing: \(partial.problems)")
    let merged = cache.get(Parcel.self, id: 1)
    checks.expect(merged?.class == nil && merged?.label == "first" && merged?.floor == 3, "absent properties are kept")

    let missing = cache.store(try decoder.decode(Payload<Parcel>.self, from: Data(#"{"id": 2}"#.utf8)))
    let isStored = cache.contains(Parcel.self, id: 2)
    checks.expect(missing.problems.count == 1 && !isStored, "and what lacks more is a problem")
}

#if FIRST_BRANCH
private let wayMember = #""way_id": {"ID": 10}"#
#else
private let wayMember = #""wayIDs": [{"id": 10}, null]"#
#endif
