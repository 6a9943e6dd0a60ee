import SeededRandom
import Testing

@testable import FlatCacheStore

@Suite struct CRC32CTests {
    private func checksum(_ bytes: [UInt8], from start: UInt32 = 0) -> UInt32 {
        bytes.withUnsafeBytes { CRC32C.checksum($0, from: start) }
    }

    @Test("Checksums are those of RFC 3720, appendix B.4")
    func vectors() {
        #expect(checksum([UInt8](repeating: 0, count: 32)) == 0x8A91_36AA)
        #expect(checksum([UInt8](repeating: 0xFF, count: 32)) == 0x62A8_AB43)
        #expect(checksum(Array(0..<32)) == 0x46DD_794E)
        #expect(checksum(Array(0..<32).reversed()) == 0x113F_DB5C)
        #expect(checksum(Array("123456789".utf8)) == 0xE306_9283)
        #expect(checksum([]) == 0)
    }

    /// The checksums of the parts of some bytes that begin with the first one, bit by bit, as the checksum is defined.
    private func checksums(_ bytes: [UInt8], from start: UInt32 = 0) -> [UInt32] {
        var crc = ~start
        return [start]
            + bytes.map { byte in
                crc ^= UInt32(byte)
                for _ in 0..<8 { crc = (crc >> 1) ^ (crc & 1 == 0 ? 0 : 0x82F6_3B78) }
                return ~crc
            }
    }

    private func randomBytes(_ count: Int) -> [UInt8] {
        var random = SeededGenerator(seed: 1)
        return (0..<count).map { _ in UInt8(random.below(256)) }
    }

    @Test("A checksum continues another one, at any length and alignment")
    func continuing() {
        let bytes = randomBytes(200)
        let expected = checksums(bytes)
        for length in bytes.indices {
            let end = checksum(Array(bytes[length...]), from: checksum(Array(bytes[..<length])))
            #expect(end == checksum(bytes))
            #expect(checksum(Array(bytes[..<length])) == expected[length])
        }
    }

    @Test("The checksum of many bytes is that of their bits, at any length and place", arguments: [0, 7, 0xFFFF_FFFF])
    func many(start: UInt32) {
        let bytes = randomBytes(150_000)
        for offset in [0, 1, 4, 7] {
            let part = Array(bytes[offset...])
            let expected = checksums(part, from: start)
            let lengths = [6_600..<6_800, 65_530..<65_545, 72_200..<72_240, 131_060..<131_080].joined() + [149_990]
            for length in lengths {
                let checksum = bytes.withUnsafeBytes { CRC32C.checksum($0.part(offset, length), from: start) }
                #expect(checksum == expected[length])
            }
        }
    }
}
