/// The line of each offset.
struct LineTable {
    private var starts = [0]

    init(_ text: [UInt8]) {
        for (index, byte) in text.enumerated() {
            let isLineFeed = byte == 0x0A
            let isReturn = byte == 0x0D && !(index + 1 < text.count && text[index + 1] == 0x0A)
            if isLineFeed || isReturn { starts.append(index + 1) }
        }
    }

    /// Where a line begins.
    func start(of line: Int) -> Int { starts[line] }

    func line(of offset: Int) -> Int {
        var low = 0
        var high = starts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle } else { high = middle }
        }
        return low
    }
}
