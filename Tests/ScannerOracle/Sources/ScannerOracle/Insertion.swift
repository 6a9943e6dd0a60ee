/// Something that is put into a text.
struct Insertion: Sendable {
    /// Where in the original text.
    var offset: Int
    var text: [UInt8]
}

extension [UInt8] {
    /// The text with insertions, which are given in its order.
    func with(_ insertions: some Sequence<Insertion>) -> [UInt8] {
        var result: [UInt8] = []
        var offset = 0
        for insertion in insertions {
            result += self[offset..<insertion.offset]
            result += insertion.text
            offset = insertion.offset
        }
        return result + self[offset...]
    }
}
