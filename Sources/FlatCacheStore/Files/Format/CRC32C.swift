/// The checksum CRC-32C (Castagnoli), computed by slicing-by-16.
///
/// The method is from Michael Kounavis and Frank Berry, 'Novel Table Lookup-Based Algorithms for High-Performance CRC
/// Generation'. It needs no processor instruction, which Swift can't reach without unsafe flags.
enum CRC32C {
    private static let slices = 16

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
        guard let base = bytes.baseAddress else { return start }
        let tables = tables
        var crc = ~start
        var offset = 0
        while bytes.count - offset >= slices {
            crc = slice(base + offset, crc, tables)
            offset += slices
        }
        while offset < bytes.count {
            crc = (crc >> 8) ^ tables[Int((crc ^ UInt32(base.load(fromByteOffset: offset, as: UInt8.self))) & 0xFF)]
            offset += 1
        }
        return ~crc
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
