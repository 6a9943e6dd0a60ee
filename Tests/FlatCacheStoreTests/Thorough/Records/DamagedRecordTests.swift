import Foundation
import SeededRandom
import Testing

@testable import FlatCacheStore

/// All bytes give a value or a decoding error.
///
/// `FLATCACHE_SEQUENCES=2000` tries more, and `FLATCACHE_SEED` repeats one.
@Suite struct DamagedRecordTests {
    static let seeds = Seeds.first(4, full: 50, orAsIn: "FLATCACHE_SEQUENCES")

    private let coding = Coding()

    /// Reads bytes in some ways, which may only throw decoding errors.
    ///
    /// - Parameter isThorough: Whether they are also decoded by trying all types. Swift Testing needs much time for each error.
    private func read(_ bytes: [UInt8], shapes: ShapeTable, isThorough: Bool = true) throws {
        let decoder = RecordDecoder(shapes: shapes)
        func attempt(_ body: () throws -> Void) throws {
            do { try body() } catch let error as DecodingError { _ = error.path }
        }
        try attempt { _ = try decoder.decode(Sample.self, from: bytes[...]) }
        try attempt {
            let text = try RecordText.json(bytes[...], shapes: shapes)
            _ = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
        }
        guard isThorough else { return }
        try attempt { _ = try decoder.decode(AnyValue.self, from: bytes[...]) }
        try attempt {
            var members = try StoredMembers(bytes[...], shapes: shapes)
            for name in members.names { try attempt { try members.update(name) { $0.rename("name", to: "text") } } }
            _ = try decoder.decode(AnyValue.self, from: members)
        }
    }

    @Test("D2: A record with bytes missing at its end is an error", arguments: seeds)
    func truncated(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let record = try coding.record(of: Sample.random(&random))
        for count in record.indices {
            let error = try decodingError { _ = try coding.decode(Sample.self, from: Array(record[..<count])) }
            guard case .dataCorrupted = error else { throw error }
        }
        let longer = try decodingError { _ = try coding.decode(Sample.self, from: record + [0]) }
        #expect(longer.context.debugDescription.hasPrefix("The record isn't one whole value, at byte 0"))
    }

    @Test("D2: A record with a changed byte gives a value or an error", arguments: seeds)
    func changed(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let record = try coding.record(of: Sample.random(&random))
        for index in record.indices {
            for _ in 0..<Extent.count(3, full: 16) {
                var changed = record
                changed[index] = UInt8(random.below(256))
                try read(changed, shapes: coding.encoder.shapes, isThorough: random.below(100) == 0)
            }
        }
    }

    @Test("D2: A record with many changes gives a value or an error", arguments: seeds)
    func mutated(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let record = try coding.record(of: [Sample.random(&random), Sample.random(&random)])
        for _ in 0..<200 {
            var mutated = record
            for _ in 0...random.below(6) {
                let start = random.below(mutated.count)
                let end = min(mutated.count, start + random.below(8))
                let replacement = (0..<random.below(8)).map { _ in UInt8(random.below(256)) }
                switch random.below(3) {
                case 0: mutated.replaceSubrange(start..<end, with: replacement)
                case 1: mutated.insert(contentsOf: mutated[start..<end], at: random.below(mutated.count))
                default: mutated[start] = UInt8(random.below(16))
                }
            }
            try read(mutated, shapes: coding.encoder.shapes, isThorough: random.below(100) == 0)
        }
    }

    @Test("D2: Random bytes give a value or an error", arguments: seeds)
    func random(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        _ = try coding.record(of: Sample.random(&random))
        for _ in 0..<200 {
            // Most are containers whose length fits, so that their content is read.
            let content = (0..<random.below(100)).map { _ in UInt8(random.below(random.pick(from: [16, 256]))) }
            let tag = random.pick(from: [
                RecordTag.array, RecordTag.object, RecordTag.namedObject, UInt8(random.below(256)),
            ])
            try read(
                [tag, UInt8(content.count)] + content,
                shapes: coding.encoder.shapes,
                isThorough: random.below(20) == 0
            )
        }
        try read([], shapes: coding.encoder.shapes)
    }

    @Test("D2: A damaged length reserves no memory")
    func lengths() throws {
        for tag in RecordTag.firstWithLength...RecordTag.lastWithLength {
            try read([tag, 0xFF, 0xFF, 0xFF, 0xFF, 0x07], shapes: ShapeTable())
            try read([tag, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F], shapes: ShapeTable())
        }
        try read([RecordTag.namedObject, 6, 0xFF, 0xFF, 0xFF, 0xFF, 0x07, 0], shapes: ShapeTable())
    }

    @Test("D2: A text that isn't UTF-8 is an error with its place")
    func texts() throws {
        let invalid: [[UInt8]] = [[0xFF], [0x61, 0xC3], [0xED, 0xA0, 0x80], [0xC0, 0x80], [0xF0, 0x9F, 0x91]]
        for bytes in invalid {
            let record =
                [RecordTag.array, UInt8(bytes.count + 2), 0xE0, RecordTag.shortString + UInt8(bytes.count)] + bytes
            let error = try decodingError { _ = try coding.decode(TextAtEnd.self, from: record) }
            #expect(error.path == "[1]")
            #expect(error.context.debugDescription.hasPrefix("A text isn't UTF-8, at byte 3 of the record."))
        }
    }

    @Test("D2: An object whose shape isn't in the table is an error")
    func shapes() throws {
        let record = try coding.record(of: [Comment(text: "a", replies: [])])
        let error = try decodingError {
            _ = try RecordDecoder(shapes: ShapeTable()).decode([Comment].self, from: record[...])
        }
        #expect(error.path == "[0]")
        #expect(error.context.debugDescription.hasPrefix("The names of the members aren't stored, at byte 2"))
    }
}

private struct TextAtEnd: Decodable {
    init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        _ = try list.decode(Int.self)
        _ = try list.decode(String.self)
    }
}
