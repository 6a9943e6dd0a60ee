import Foundation

/// The Swift files that are changed.
struct Corpus {
    /// Their bytes, in the order of their paths.
    var files: [[UInt8]] = []

    init(_ folders: [String]) {
        for folder in folders {
            let paths = (FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? []).sorted()
            for path in paths where path.hasSuffix(".swift") && !path.contains(".build") {
                guard let data = FileManager.default.contents(atPath: folder + "/" + path) else { continue }
                if data.count < 60_000 { files.append(Array(data)) }
            }
        }
    }
}

/// Random numbers that follow from a seed and the number of a case: SplitMix64.
struct Generator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64, number: Int) {
        state = seed &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(number) &* 0xD134_2543_DE82_EF95
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
