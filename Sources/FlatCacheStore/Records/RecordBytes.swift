/// The bytes of a record in memory that someone else owns.
struct RecordBytes {
    let base: UnsafePointer<UInt8>
    let count: Int

    @inline(__always) init(base: UnsafePointer<UInt8>, count: Int) {
        self.base = base
        self.count = count
    }

    /// Returns the end of the value at a position, or -1 if it isn't whole before a limit.
    ///
    /// Only the extent of the value is checked, not its content.
    @inline(__always) func end(of position: Int, before limit: Int) -> Int {
        guard position < limit else { return -1 }
        let tag = base[position]
        var end = position + 1
        if tag >= RecordTag.shortString {
            if tag < RecordTag.smallNumber { end += Int(tag - RecordTag.shortString) }
        } else if tag >= RecordTag.positive {
            guard tag < RecordTag.endOfNumbers else { return -1 }
            end += Int(tag & 0x0F) + 1
        } else if tag >= RecordTag.firstWithLength {
            let length = varint(at: &end, before: limit)
            guard length >= 0 else { return -1 }
            end += length
        } else if tag >= RecordTag.float {
            end += tag == RecordTag.float ? 4 : tag == RecordTag.uuid ? 16 : 8
        }
        return end <= limit ? end : -1
    }

    /// Returns the content of a value whose tag is followed by its length, from a position whose value is known to be whole.
    @inline(__always) func content(at position: Int) -> Range<Int> {
        var start = position + 1
        let length = varint(at: &start, before: count)
        return start..<start + max(0, length)
    }

    /// Reads a number and moves the position behind it, or returns -1.
    ///
    /// Each byte has 7 bits of the number, the least significant first, and the highest bit unless it is the last.
    @inline(__always) func varint(at position: inout Int, before limit: Int) -> Int {
        guard position < limit else { return -1 }
        let first = base[position]
        position += 1
        if first < 0x80 { return Int(first) }
        return restOfVarint(Int(first & 0x7F), at: &position, before: limit)
    }

    @inline(never) private func restOfVarint(_ start: Int, at position: inout Int, before limit: Int) -> Int {
        var result = start
        var shift = 7
        while position < limit, shift < 35 {
            let byte = base[position]
            position += 1
            result |= Int(byte & 0x7F) << shift
            if byte < 0x80 { return result }
            shift += 7
        }
        return -1
    }

    /// Returns some bytes that exist.
    @inline(__always) func slice(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: base + range.lowerBound, count: range.count)
    }

    /// Returns the text of some bytes that exist, or `nil` if they aren't UTF-8.
    @inline(__always) func text(_ range: Range<Int>) -> String? {
        let slice = slice(range)
        let text = String(decoding: slice, as: UTF8.self)
        return Self.isASCII(slice) || Self.isEqual(text, slice) ? text : nil
    }

    @inline(__always) static func isASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let memory = UnsafeRawBufferPointer(bytes)
        var position = 0
        var seen: UInt64 = 0
        while position + 32 <= memory.count {
            for offset in stride(from: 0, to: 32, by: 8) { seen |= memory.number(at: position + offset) }
            position += 32
        }
        while position + 8 <= memory.count {
            seen |= memory.number(at: position)
            position += 8
        }
        if memory.count >= 8 {
            // The last bytes, of which some were looked at before.
            seen |= memory.number(at: memory.count - 8)
        } else {
            for byte in memory { seen |= UInt64(byte) }
        }
        return seen & 0x8080_8080_8080_8080 == 0
    }

    /// Returns whether a text has these bytes.
    ///
    /// It hasn't if it was decoded from bytes that aren't UTF-8.
    @inline(never) private static func isEqual(_ text: String, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var text = text
        return text.withUTF8 { $0.elementsEqual(bytes) }
    }

    /// Returns a number of up to 8 bytes that exist.
    @inline(__always) func word(at position: Int, bytes: Int) -> UInt64 {
        var result: UInt64 = 0
        for index in 0..<bytes { result |= UInt64(base[position + index]) << UInt64(8 * index) }
        return result
    }

    /// Returns 8 bytes that exist as a number.
    @inline(__always) func word(at position: Int) -> UInt64 {
        UInt64(littleEndian: UnsafeRawPointer(base + position).loadUnaligned(as: UInt64.self))
    }
}
