import Foundation
import TestThreads
import Testing

@testable import FlatCache

@Suite("Hashes of string identifiers", .mayBlock)
struct StringHashTests {
    @Test("Equal strings have equal hashes, whatever their storage")
    func storage() {
        for length in 0..<70 {
            let string = String((0..<length).map { Character(Unicode.Scalar(UInt8(33 + $0))) })
            let native = String(decoding: Array(string.utf8), as: UTF8.self)
            let substring = String(("<" + string + ">").dropFirst().dropLast())
            let bridged = NSString(string: string) as String
            #expect(StringHash.hash(string) == StringHash.hash(native))
            #expect(StringHash.hash(string) == StringHash.hash(substring))
            #expect(StringHash.hash(string) == StringHash.hash(bridged))
        }
    }

    @Test("Every character that is equal to an ASCII one has its hash")
    func equivalentCharacters() {
        var byCharacter: [String: UInt] = [:]
        for byte in UInt8.min..<0x80 {
            let string = String(Unicode.Scalar(byte))
            byCharacter[string] = StringHash.hash(string)
        }
        var found = 0
        for value in UInt32(0x80)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            // The dictionary of the standard library knows all equivalences.
            guard let expected = byCharacter[String(scalar)] else { continue }
            found += 1
            #expect(StringHash.hash(String(scalar)) == expected)
            let pair = ("id-" + String(scalar) + "-1", scalar.equivalentASCII.map { "id-\($0)-1" })
            #expect(pair.0 == pair.1)
            #expect(pair.1.map(StringHash.hash) == StringHash.hash(pair.0))
        }
        #expect(found == 3)
    }

    @Test("Decomposed and precomposed characters have one hash")
    func decomposition() {
        #expect(StringHash.hash("caf\u{E9}") == StringHash.hash("cafe\u{301}"))
        #expect(StringHash.hash("\u{AC01}") == StringHash.hash("\u{1100}\u{1161}\u{11A8}"))
        #expect(StringHash.hash("K\u{301}") == StringHash.hash("\u{212A}\u{301}"))
    }

    @Test(
        "Strings that differ in any one place differ in their hashes",
        arguments: [1, 3, 7, 8, 9, 15, 16, 17, 24, 31, 33, 64]
    )
    func everyByteCounts(length: Int) {
        var hashes: Set<UInt> = []
        var count = 0
        for place in 0..<length {
            for byte in UInt8(0)..<0x80 where byte != UInt8(ascii: "x") {
                var bytes = [UInt8](repeating: UInt8(ascii: "x"), count: length)
                bytes[place] = byte
                hashes.insert(StringHash.hash(String(decoding: bytes, as: UTF8.self)))
                count += 1
            }
        }
        #expect(hashes.count == count)
    }

    @Test("Strings of one character differ from longer ones of it, zero bytes included")
    func lengthCounts() {
        for character in ["x", "\0"] {
            let hashes = Set((0..<100).map { StringHash.hash(String(repeating: character, count: $0)) })
            #expect(hashes.count == 100)
        }
    }

    @Test("Identifiers such as servers make spread evenly over shards and buckets")
    func spread() {
        var shards = [Int](repeating: 0, count: shardCount)
        var buckets = [Int](repeating: 0, count: 64)
        var hashes: Set<UInt> = []
        for number in 0..<100_000 {
            let id = "1170205656\(93_913_441 + number * 7)"
            let hash = HashedID(id)
            shards[hash.shard] += 1
            buckets[Int(hash.bucket) & 63] += 1
            hashes.insert(StringHash.hash(id))
        }
        #expect(hashes.count == 100_000)
        // Ten standard deviations: a good hash never fails this.
        for count in shards { #expect(abs(count - 6250) < 800) }
        for count in buckets { #expect(abs(count - 1562) < 400) }
    }

    #if compiler(>=6.3) && (os(macOS) || os(Linux))
    @Test("Identifiers that are chosen to collide in one process don't in another, whose seeds nobody knows")
    func chosenIdentifiers() async {
        let ids = (0..<600_000).lazy.map { "11702056\(1_000_000 + $0)" }
            .filter {
                let hash = HashedID($0)
                return hash.shard == 0 && hash.bucket & 0xFF == 0
            }
        let chosen = Array(ids)
        // Whoever knows the seeds can make a table slow.
        #expect(longestProbe(among: chosen) > chosen.count / 2)
        await #expect(processExitsWith: .success) { [chosen = chosen as [String]] in
            #expect(longestProbe(among: chosen) < chosen.count / 4)
        }
    }
    #endif
}

extension Unicode.Scalar {
    fileprivate var equivalentASCII: String? {
        (UInt8.min..<0x80).map { String(Unicode.Scalar($0)) }.first { $0 == String(self) }
    }
}

/// How far from its home the entity of an identifier can be in a cache that holds some.
private func longestProbe(among ids: [String]) -> Int {
    let cache = FlatCache()
    cache.set(contentsOf: ids.map { Post(id: $0) })
    return cache.longestProbe(of: Post.self)
}
