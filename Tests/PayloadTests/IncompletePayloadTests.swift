import FlatCache
import Foundation
import Testing

/// Entities of payloads that leave out required properties and have other faults, too.
@Suite("Faults of incomplete entities")
struct IncompletePayloadTests {
    private let cache = FlatCache()

    /// The first of the required properties is read before the others.
    struct Meter: Cachable, Codable, Equatable, FlatCache.PayloadDecodable {
        let id: Int
        var unit: String
        var value: Int
        var limit: Int?
        var writerID: Writer.ID?

        static var payloadKeys: [_PayloadKey] {
            [
                .init(id: "id", \.id), .init("unit", \.unit), .init("value", \.value), .init("limit", \.limit),
                .init("writerID", \.writerID, Writer.self, "writer"),
            ]
        }
    }

    private func store(_ json: String) throws -> [PayloadProblem] {
        cache.store(try decode(Payload<[Meter]>.self, json)).problems
    }

    @Test("P2: The keys of a type without a table are learnt from the first whole entity")
    func withoutTable() throws {
        struct Reading: Cachable, Codable, Equatable {
            let id: Int
            var unit: String
            var value: Int?
        }
        let old = Reading(id: 1, unit: "m", value: 1)
        cache.set(old)
        let incomplete = #"[{"id": 1, "value": 2}]"#
        let first = cache.store(try decode(Payload<[Reading]>.self, incomplete))
        #expect(first.problems.map { $0.codingPath.map(\.stringValue) } == [["Index 0", "unit"]])
        #expect(cache.get(Reading.self, id: 1) == old)

        let whole = #"[{"id": 2, "unit": "s", "value": 3}]"#
        #expect(cache.store(try decode(Payload<[Reading]>.self, whole)).problems.isEmpty)
        #expect(cache.store(try decode(Payload<[Reading]>.self, incomplete)).problems.isEmpty)
        #expect(cache.get(Reading.self, id: 1) == Reading(id: 1, unit: "m", value: 2))
    }

    @Test("P2: Null for a required property is a problem, also if an earlier one is absent")
    func null() throws {
        cache.set(Meter(id: 1, unit: "m", value: 7, limit: 1))
        let problems = try store(#"[{"id": 1, "value": null, "limit": 5}]"#)
        #expect(problems.count == 1)
        guard case .unreadable = problems.first?.reason else {
            Issue.record("\(problems)")
            return
        }
        #expect(problems.first?.codingPath.map(\.stringValue) == ["Index 0", "value"])
        #expect(cache.get(Meter.self, id: 1) == Meter(id: 1, unit: "m", value: 7, limit: 1))
    }

    @Test("P2: An unreadable part of an entity doesn't affect the other parts in the payload")
    func parts() throws {
        let problems = try store(
            #"[{"id": 1, "value": 4, "limit": 5}, {"id": 1, "value": null, "limit": 9}, {"id": 1, "unit": "z"}]"#
        )
        #expect(problems.count == 1)
        #expect(cache.get(Meter.self, id: 1) == Meter(id: 1, unit: "z", value: 4, limit: 5))
    }

    @Test("P2: An unreadable optional relationship costs an incomplete entity only the link", arguments: [true, false])
    func relationships(isComplete: Bool) throws {
        cache.set(Meter(id: 1, unit: "m", value: 7, writerID: 3))
        let unit = isComplete ? #""unit": "m", "value": 7,"# : ""
        for writer in [#""writer": {"name": "no id"}"#, #""writerID": "bad""#, #""writer": []"#] {
            let problems = try store(#"[{"id": 1, \#(unit) "limit": 5, \#(writer)}]"#)
            #expect(problems.count == 1, "\(writer): \(problems)")
            #expect(cache.get(Meter.self, id: 1) == Meter(id: 1, unit: "m", value: 7, limit: 5, writerID: 3))
            cache.update(Meter.self, id: 1) { $0.limit = nil }
        }
        _ = try decode(Payload<Meter>.self, #"{"id": 1, \#(unit) "limit": 5, "writer": {"name": "no id"}}"#)
    }

    @Test("S2: A removal since the request is no problem of an older response", arguments: [true, false])
    func removed(isStrict: Bool) throws {
        cache.set(Meter(id: 1, unit: "m", value: 7))
        cache.set(Account(id: "1", name: "A"))
        let revision = cache.revision()
        cache.remove(Meter.self, id: 1)
        cache.remove(Account.self, id: "1")
        let payload = try decode(
            Payload<[Meter]>.self,
            #"[{"id": 1, "limit": 1}, {"id": 2, "unit": "m", "value": 1}]"#
        )
        #expect(try cache.store(payload, strict: isStrict, since: revision).problems.isEmpty)
        #expect(!cache.contains(Meter.self, id: 1) && cache.contains(Meter.self, id: 2))
        let patch = try decode(Payload<[ProfileResponse]>.self, #"[{"id": "1", "note": "n"}]"#)
        #expect(try cache.store(patch, strict: isStrict, since: revision).problems.isEmpty)
        #expect(!cache.contains(Account.self, id: "1"))
    }

    @Test("F1: A fetcher of single entities may return no payload")
    func noPayload() async throws {
        cache.setFetcher(of: Writer.self) { (id: Int) in
            id == 9 ? nil : try decode(Payload<Writer>.self, #"{"id": \#(id), "name": "W"}"#)
        }
        #expect(try await cache.fetch(Writer.self, id: 1).name == "W")
        let error = await #expect(throws: FetchError.self) { try await cache.fetch(Writer.self, id: 9) }
        #expect(error?.underlying == nil)
    }

    @propertyWrapper
    struct Rounded: Decodable, Equatable, Sendable {
        var wrappedValue: Int

        init(wrappedValue: Int) { self.wrappedValue = wrappedValue }

        init(from decoder: any Decoder) throws {
            wrappedValue = try decoder.singleValueContainer().decode(Int.self)
        }
    }

    /// An entity that can't be encoded, so that only it has the values of the wrappers.
    struct Gauge: Cachable, Decodable, Equatable, FlatCache.PayloadDecodable {
        let id: Int
        var unit: String
        @Rounded var value: Int
        @Rounded var limit: Int

        private enum CodingKeys: String, CodingKey { case id, unit, value, limit }

        static var payloadKeys: [_PayloadKey] {
            [
                .init("id", \.id), .init("unit", \.unit), .init("value", wrapped: \.value),
                .init("limit", wrapped: \.limit),
            ]
        }
    }

    /// The same with one wrapper, whose key isn't the name of the property.
    struct Dial: Cachable, Decodable, Equatable, FlatCache.PayloadDecodable {
        let id: Int
        var unit: String
        @Rounded var value: Int

        private enum CodingKeys: String, CodingKey { case id, unit, value = "amount" }

        static var payloadKeys: [_PayloadKey] {
            [.init("id", \.id), .init("unit", \.unit), .init("amount", wrapped: \.value, as: Rounded.self)]
        }
    }

    @Test("P2: An incomplete entity keeps its property wrappers, also if it can't be encoded")
    func wrappers() throws {
        let gauges = #"[{"id": 1, "unit": "m", "value": 7, "limit": 9}, {"id": 1, "value": 8}, {"id": 1, "unit": "s"}]"#
        #expect(cache.store(try decode(Payload<[Gauge]>.self, gauges)).problems.map(\.description) == [])
        #expect(cache.get(Gauge.self, id: 1) == Gauge(id: 1, unit: "s", value: 8, limit: 9))

        cache.set(Dial(id: 1, unit: "m", value: 7))
        let dials = #"[{"id": 1, "unit": "s"}]"#
        #expect(cache.store(try decode(Payload<[Dial]>.self, dials)).problems.map(\.description) == [])
        #expect(cache.get(Dial.self, id: 1) == Dial(id: 1, unit: "s", value: 7))
    }
}
