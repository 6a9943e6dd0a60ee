import Foundation

// Numbers in files are little endian and not aligned.

extension UnsafeRawBufferPointer {
    /// Returns the number at an offset, which must be in bounds.
    @inline(__always)
    func number<Number: FixedWidthInteger & BitwiseCopyable>(_: Number.Type = Number.self, at offset: Int) -> Number {
        Number(littleEndian: loadUnaligned(fromByteOffset: offset, as: Number.self))
    }

    /// Whether the bytes are the same as others.
    @inline(__always)
    func isEqual(to other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        guard let base = baseAddress, let otherBase = other.baseAddress else { return true }
        return memcmp(base, otherBase, count) == 0
    }

    /// Returns some of the bytes, which must be in bounds.
    @inline(__always)
    func part(_ offset: Int, _ count: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: self[offset..<offset + count])
    }
}

extension [UInt8] {
    /// Appends a number.
    @inline(__always)
    mutating func append<Number: FixedWidthInteger>(littleEndian number: Number) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }

    /// Replaces the number at an offset, which must be in bounds.
    @inline(__always)
    mutating func set<Number: FixedWidthInteger & BitwiseCopyable>(_ number: Number, at offset: Int) {
        withUnsafeMutableBytes { $0.storeBytes(of: number.littleEndian, toByteOffset: offset, as: Number.self) }
    }
}
