import Foundation
import SeededRandom

/// The numbers of the entities that somebody reads, one after the other.
///
/// Each number is below 100,000.
enum ReadTrace: String, CaseIterable {
    /// Some entities are read much more often than others, always the same.
    case zipf
    /// The same, and after each 8,000 reads a scan over 2,000 entities in their order.
    case scan
    /// New entities are read most often, and a new one comes after each ten reads.
    case feed

    private static let entityCount = 100_000

    func numbers(_ count: Int, seed: Int) -> [Int] {
        var generator = SeededGenerator(seed: 42, stream: seed)
        let ranks = Ranks(Self.entityCount)
        let numbers = Array(0..<Self.entityCount).shuffled(using: &generator)
        return (0..<count).map { turn in
            switch self {
            case .zipf: return numbers[ranks.next(&generator)]
            case .scan:
                let (round, place) = (turn / 10_000, turn % 10_000)
                if place >= 8_000 { return (round * 2_000 + place - 8_000) % Self.entityCount }
                return numbers[ranks.next(&generator)]
            case .feed: return (turn / 10 + Self.entityCount - ranks.next(&generator)) % Self.entityCount
            }
        }
    }
}

/// Random ranks with Zipf's distribution: that of rank *n* has the weight 1 / *n*^0.9.
private struct Ranks {
    private let sums: [Double]

    init(_ count: Int) {
        var sum = 0.0
        sums = (1...count).map { rank in
            sum += 1 / pow(Double(rank), 0.9)
            return sum
        }
    }

    /// Returns a rank, which begins at 0.
    func next(_ generator: inout SeededGenerator) -> Int {
        let wanted = Double.random(in: 0..<sums[sums.count - 1], using: &generator)
        var (low, high) = (0, sums.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if sums[middle] > wanted { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
