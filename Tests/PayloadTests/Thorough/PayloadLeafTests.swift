import FlatCache
import Foundation
import Testing

/// A sample with a value that only the format has.
struct Sample: Cachable, Decodable {
    let id: Int
    var value: Tree
    var others: [Tree]?
    var byName: [String: Tree]?
    var unit: String?
}

extension Sample: FlatCache.PayloadDecodable {
    static var payloadKeys: [FlatCache.PayloadKey<Sample>] {
        [
            .init("id", \.id), .init("value", \.value), .init("others", \.others), .init("byName", \.byName),
            .init("unit", \.unit),
        ]
    }
}

/// Values that a decoder decodes itself.
@Suite("Values of a decoder's own types")
struct PayloadLeafTests {
    let cache = FlatCache()

    @Test("A decoder gets them unchanged, and entities in them aren't found", arguments: [false, true])
    func unchanged(advancesOnFailure: Bool) throws {
        let value: Tree = ["writer": ["id": 7, "name": "W"]]
        let tree: Tree = [
            ["id": 1, "value": value, "others": [value, 5], "byName": ["a": value], "unit": "m"],
            ["id": 2, "value": nil],
        ]
        let payload = try TreeDecoder.decode(Payload<[Sample]>.self, tree, advancesOnFailure: advancesOnFailure)
        let stored = cache.store(payload)
        #expect(stored.problems.isEmpty && stored.value?.map(\.id) == [1, 2])
        let first = cache.get(Sample.self, id: 1)
        #expect(first?.value == value && first?.others == [value, 5] && first?.byName == ["a": value])
        #expect(cache.get(Sample.self, id: 2)?.value == .null)
        #expect(cache.count(of: Writer.self) == 0)
    }

    @Test("They are kept where they are absent, and in incomplete entities")
    func absent() throws {
        cache.store(try TreeDecoder.decode(Payload<Sample>.self, ["id": 1, "value": [1, 2], "unit": "m"]))
        let stored = cache.store(try TreeDecoder.decode(Payload<Sample>.self, ["id": 1, "others": [nil]]))
        #expect(stored.problems.isEmpty)
        #expect(stored.value?.value == [1, 2] && stored.value?.others == [nil] && stored.value?.unit == "m")
    }

    @Test("One that can't be decoded is a problem")
    func otherDecoders() throws {
        let json = Data(#"[{"id": 1, "value": 1}, {"id": 2}]"#.utf8)
        let stored = cache.store(try JSONDecoder().decode(Payload<[Sample]>.self, from: json))
        #expect(stored.problems.map { $0.codingPath.map(\.stringValue) }.count == 2)
        #expect(cache.count == 0)
    }
}
