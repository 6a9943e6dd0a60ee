/// A growing buffer of bytes.
///
/// It is used by one ``ValueWriter``, and saves the checks of an array at each of many small writes.
struct RecordBuffer: ~Copyable {
    private(set) var base: UnsafeMutablePointer<UInt8>
    private(set) var count = 0
    private var capacity: Int
    /// Whether equal values get equal bytes.
    let isCanonical: Bool

    init(capacity: Int, isCanonical: Bool = false) {
        self.capacity = capacity
        self.isCanonical = isCanonical
        base = .allocate(capacity: capacity)
    }

    deinit { base.deallocate() }

    /// The bytes, which are valid until the next change.
    var bytes: RecordBytes { RecordBytes(base: base, count: count) }

    var contents: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: base, count: count) }

    @inline(__always) mutating func append(_ byte: UInt8) {
        reserve(1)
        base[count] = byte
        count += 1
    }

    @inline(__always) mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress else { return }
        reserve(bytes.count)
        (base + count).update(from: start, count: bytes.count)
        count += bytes.count
    }

    /// Appends the first bytes of a word, the least significant first.
    @inline(__always) mutating func append(_ word: UInt64, bytes: Int = 8) {
        reserve(8)
        UnsafeMutableRawPointer(base + count).storeBytes(of: word.littleEndian, as: UInt64.self)
        count += bytes
    }

    mutating func appendVarint(_ value: Int) {
        var rest = UInt(bitPattern: value)
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(truncatingIfNeeded: rest))
    }

    /// Appends bytes whose values don't matter.
    @inline(__always) mutating func appendSpace(_ bytes: Int) {
        reserve(bytes)
        count += bytes
    }

    @inline(__always) mutating func removeAll(from position: Int) {
        count = min(count, position)
    }

    /// Makes a range of bytes longer or shorter.
    mutating func resize(_ range: Range<Int>, to size: Int) {
        let change = size - range.count
        guard change != 0 else { return }
        reserve(max(0, change))
        let rest = base + range.upperBound
        (rest + change).update(from: rest, count: count - range.upperBound)
        count += change
    }

    @inline(__always) mutating func set(_ byte: UInt8, at position: Int) {
        base[position] = byte
    }

    /// Writes bytes at a position where there is space for them.
    mutating func set(_ bytes: UnsafeBufferPointer<UInt8>, at position: Int) {
        guard let start = bytes.baseAddress else { return }
        (base + position).update(from: start, count: bytes.count)
    }

    /// Writes a number at a position where there is space for it, and moves the position behind it.
    @inline(__always) mutating func setVarint(_ value: Int, at position: inout Int) {
        var rest = UInt(bitPattern: value)
        while rest >= 0x80 {
            base[position] = UInt8(truncatingIfNeeded: rest) | 0x80
            position += 1
            rest >>= 7
        }
        base[position] = UInt8(truncatingIfNeeded: rest)
        position += 1
    }

    static func varintSize(_ value: Int) -> Int {
        value < 0x80 ? 1 : (Int.bitWidth - value.leadingZeroBitCount + 6) / 7
    }

    @inline(__always) private mutating func reserve(_ bytes: Int) {
        if capacity - count < bytes { grow(bytes) }
    }

    @inline(never) private mutating func grow(_ bytes: Int) {
        let larger = max(2 * capacity, count + bytes)
        let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        copy.update(from: base, count: count)
        base.deallocate()
        base = copy
        capacity = larger
    }
}
