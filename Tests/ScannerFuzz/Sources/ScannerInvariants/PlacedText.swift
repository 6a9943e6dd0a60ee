/// A text and the place of each of its bytes, found in the simplest way: by going through it from its beginning.
struct PlacedText {
    let bytes: [UInt8]
    /// The place of each byte, and of the end.
    let places: [(line: Int, column: Int)]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var places: [(line: Int, column: Int)] = []
        var line = 1
        var lineStart = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        for offset in 0...bytes.count {
            places.append((line, max(1, offset - lineStart + 1)))
            guard offset < bytes.count else { break }
            let isPair = bytes[offset] == 0x0D && offset + 1 < bytes.count && bytes[offset + 1] == 0x0A
            guard bytes[offset] == 0x0A || (bytes[offset] == 0x0D && !isPair) else { continue }
            line += 1
            lineStart = offset + 1
        }
        self.places = places
    }
}
