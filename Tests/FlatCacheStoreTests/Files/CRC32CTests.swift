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

    @Test("A checksum continues another one, at any length and alignment")
    func continuing() {
        var random = SeededGenerator(seed: 1)
        let bytes = (0..<200).map { _ in UInt8(random.below(256)) }
        for length in bytes.indices {
            let end = checksum(Array(bytes[length...]), from: checksum(Array(bytes[..<length])))
            #expect(end == checksum(bytes))
            // Bit by bit, as the checksum is defined.
            var crc = ~UInt32(0)
            for byte in bytes[..<length] {
                crc ^= UInt32(byte)
                for _ in 0..<8 { crc = (crc >> 1) ^ (crc & 1 == 0 ? 0 : 0x82F6_3B78) }
            }
            #expect(checksum(Array(bytes[..<length])) == ~crc)
        }
    }
}
