/// The checksum CRC-32C (Castagnoli).
///
/// Few bytes are looked up in tables, 16 at once, as Michael Kounavis and Frank Berry describe in 'Novel Table Lookup-Based
/// Algorithms for High-Performance CRC Generation'. Of many bytes, most are moved to the last ones first, as Sam Russell
/// describes in 'Chorba: A novel CRC32 implementation'. Both need no processor instruction, which Swift can't reach without
/// unsafe flags.
enum CRC32C {
    private static let slices = 16
    /// The number of bytes between a word and the farthest copy of it.
    private static let span = 8 * 209

    /// 16 tables of 256 numbers: the table `n` has the checksum of a byte that `n` zero bytes follow.
    ///
    /// The memory is never freed, because all stores of the process use it.
    nonisolated(unsafe) private static let tables: UnsafePointer<UInt32> = {  // Constant after its initialization.
        let tables = UnsafeMutablePointer<UInt32>.allocate(capacity: slices * 256)
        for byte in 0..<256 {
            var remainder = UInt32(byte)
            for _ in 0..<8 { remainder = (remainder >> 1) ^ (remainder & 1 == 0 ? 0 : 0x82F6_3B78) }
            (tables + byte).initialize(to: remainder)
        }
        for place in 256..<(slices * 256) {
            let before = tables[place - 256]
            (tables + place).initialize(to: (before >> 8) ^ tables[Int(before & 0xFF)])
        }
        return UnsafePointer(tables)
    }()

    /// Returns the checksum of some bytes.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - start: The checksum of the bytes before these, or a number that makes the checksum differ from others.
    static func checksum(_ bytes: UnsafeRawBufferPointer, from start: UInt32 = 0) -> UInt32 {
        var crc = ~start
        var offset = 0
        while bytes.count - offset >= 4 * span {
            let length = min(bytes.count - offset, 1 << 16)
            crc = fold(bytes.part(offset, length), crc)
            offset += length
        }
        return ~add(bytes.part(offset, bytes.count - offset), to: crc)
    }

    /// Adds many bytes to a checksum.
    ///
    /// A word of 8 bytes has the same part in the checksum as five copies of it 65, 155, 170, 195 and 209 words behind it,
    /// because `x^(64 * 209) + x^(64 * 144) + x^(64 * 54) + x^(64 * 39) + x^(64 * 14) + 1` is a multiple of the polynomial of the
    /// checksum. So all words but the last 209 are moved, several at once, and the tables are needed for these alone.
    private static func fold(_ bytes: UnsafeRawBufferPointer, _ crc: UInt32) -> UInt32 {
        withUnsafeTemporaryAllocation(byteCount: bytes.count, alignment: 8) { copy in
            copy.copyMemory(from: bytes)
            copy.storeBytes(of: copy.load(as: UInt32.self) ^ crc.littleEndian, as: UInt32.self)
            let count = (bytes.count - span) / 8
            copy.withMemoryRebound(to: UInt64.self) { words in
                // No word is missing, because there are at least the last ones.
                guard let words = words.baseAddress else { return }
                for place in 0..<count {
                    let word = words[place]
                    words[place &+ 65] ^= word
                    words[place &+ 155] ^= word
                    words[place &+ 170] ^= word
                    words[place &+ 195] ^= word
                    words[place &+ 209] ^= word
                }
            }
            return add(UnsafeRawBufferPointer(copy).part(8 * count, copy.count - 8 * count), to: 0)
        }
    }

    /// Adds bytes to a checksum by the tables.
    private static func add(_ bytes: UnsafeRawBufferPointer, to start: UInt32) -> UInt32 {
        guard let base = bytes.baseAddress else { return start }
        let tables = tables
        var crc = start
        var offset = 0
        while bytes.count - offset >= slices {
            crc = slice(base + offset, crc, tables)
            offset += slices
        }
        while offset < bytes.count {
            crc = (crc >> 8) ^ tables[Int((crc ^ UInt32(base.load(fromByteOffset: offset, as: UInt8.self))) & 0xFF)]
            offset += 1
        }
        return crc
    }

    /// Adds 16 bytes to a checksum.
    @inline(__always)
    private static func slice(_ base: UnsafeRawPointer, _ crc: UInt32, _ tables: UnsafePointer<UInt32>) -> UInt32 {
        let low = UInt64(littleEndian: base.loadUnaligned(as: UInt64.self)) ^ UInt64(crc)
        let high = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        var result: UInt32 = 0
        for byte in 0..<8 {
            result ^= tables[(15 - byte) * 256 + Int(truncatingIfNeeded: (low >> (8 * UInt64(byte))) & 0xFF)]
            result ^= tables[(7 - byte) * 256 + Int(truncatingIfNeeded: (high >> (8 * UInt64(byte))) & 0xFF)]
        }
        return result
    }
}
