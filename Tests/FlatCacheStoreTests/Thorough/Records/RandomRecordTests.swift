import Foundation
import SeededRandom
import Testing

@testable import FlatCacheStore

/// Random values are encoded as `JSONEncoder` does.
///
/// `FLATCACHE_SEQUENCES=2000` tries more, and `FLATCACHE_SEED` repeats one.
@Suite struct RandomRecordTests {
    static let seeds = Seeds.first(20, full: 500, orAsIn: "FLATCACHE_SEQUENCES")

    @Test("A random value is decoded as from JSON, and its text is that JSON", arguments: seeds)
    func trees(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let coding = Coding()
        for _ in 0..<20 {
            let tree = [RandomTree(&random)]
            let expected = try JSONDecoder().decode(AnyValue.self, from: JSONEncoder().encode(tree))
            let record = try coding.record(of: tree)
            #expect(try coding.decode(AnyValue.self, from: record) == expected)
            let text = try RecordText.json(record[...], shapes: coding.encoder.shapes)
            #expect(try JSONDecoder().decode(AnyValue.self, from: Data(text.utf8)) == expected)
        }
    }

    @Test("Random samples are kept, whatever the shapes of others are", arguments: seeds)
    func samples(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let coding = Coding()
        var records: [(Sample, [UInt8])] = []
        for _ in 0..<20 {
            let sample = Sample.random(&random)
            records.append((sample, try coding.record(of: sample)))
            _ = try coding.record(of: RandomTree(&random))
        }
        for (sample, record) in records { #expect(try coding.decode(Sample.self, from: record) == sample) }
    }
}
