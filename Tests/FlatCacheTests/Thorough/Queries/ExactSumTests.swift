import SeededRandom
import Testing

@testable import FlatCache

@Suite("Exact sums")
struct ExactSumTests {
    private static let greatest = Double.greatestFiniteMagnitude
    private static let least = Double.leastNonzeroMagnitude

    private static let sums: [(numbers: [Double], sum: Double)] = [
        ([1e100, 1, -1e100], 1),
        ([Double](repeating: 0.1, count: 10), 1),
        ([1, 0x1p-53], 1),
        ([1, 0x1p-53, least], 0x1.0000000000001p0),
        ([0x1.0000000000001p0, 0x1p-53], 0x1.0000000000002p0),
        ([-1, -0x1p-53, -least], -0x1.0000000000001p0),
        ([greatest, greatest, -greatest], greatest),
        ([greatest, 0x1p970], .infinity),
        ([-greatest, -greatest], -.infinity),
        ([least, least], 0x1p-1073),
        ([0x1p-1022, -least], Double.leastNormalMagnitude.nextDown),
        ([.infinity, 1], .infinity),
        ([-.infinity, 1], -.infinity),
        ([-0.0], 0),
        ([], 0),
    ]

    @Test("A sum is that of exact numbers, rounded once", arguments: sums)
    func values(numbers: [Double], sum: Double) {
        #expect(Self.sum(of: numbers) == sum)
        #expect(Self.sum(of: numbers.reversed()) == sum)
    }

    @Test("A sum of NaN, or of infinities of both signs, is NaN as long as these aren't removed")
    func notNumbers() {
        var sum = ExactSum()
        sum.add(1)
        sum.add(.infinity)
        sum.add(-.infinity)
        #expect(sum.rounded().isNaN)
        sum.remove(.infinity)
        #expect(sum.rounded() == -.infinity)
        sum.add(.nan)
        #expect(sum.rounded().isNaN)
        sum.remove(-.infinity)
        sum.remove(.nan)
        #expect(sum.rounded() == 1)
    }

    @Test("A sum is that of wide integers, whatever was added and removed", arguments: Seeds.first(40))
    func random(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let scale = random.below(1_900) - 1_000
        let width = random.below(60)
        var sum = ExactSum()
        var exact: Int128 = 0
        for _ in 0..<200 {
            let significand = Int64(bitPattern: random.next()) >> 11
            let shift = random.below(width + 1)
            let number = Double(significand) * Double(sign: .plus, exponent: shift, significand: 1)
            let scaled = Double(sign: .plus, exponent: scale, significand: number)
            let other = Double.random(in: -1...1, using: &random)
            sum.add(other)
            sum.add(scaled)
            exact += Int128(significand) << shift
            if random.below(3) == 0 {
                sum.remove(scaled)
                exact -= Int128(significand) << shift
            }
            sum.remove(other)
            #expect(sum.rounded() == Double(sign: .plus, exponent: scale, significand: Double(exact)), "seed \(seed)")
        }
    }

    @Test("A sum of numbers with less precision is rounded once, too", arguments: Seeds.first(40))
    func lessPrecise(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var sum = ExactSum()
        var exact: Int128 = 0
        // Between two numbers of 24 bits, and almost in the middle.
        for shift in [60, 36, 60 - random.below(60), random.below(8)] {
            let significand = random.below(2) == 0 ? 1 : Int64(random.below(1 << 24))
            sum.add(Double(Float(significand)) * Double(sign: .plus, exponent: shift, significand: 1))
            exact += Int128(significand) << shift
            #expect(sum.rounded(to: Float.self) == Float(exact), "seed \(seed)")
            #expect(sum.rounded(to: Double.self) == Double(exact), "seed \(seed)")
        }
        #expect(Self.sum(of: [1, 0x1p-24, 0x1p-60], as: Float.self) == Float(1).nextUp)
        #expect(Self.sum(of: [-1, -0x1p-24, -0x1p-60], as: Float.self) == -Float(1).nextUp)
        #expect(Self.sum(of: [1, 0x1p-24], as: Float.self) == 1)
    }

    private static func sum<Number: BinaryFloatingPoint>(of numbers: [Double], as type: Number.Type) -> Number {
        var sum = ExactSum()
        for number in numbers { sum.add(number) }
        return sum.rounded(to: type)
    }

    private static func sum(of numbers: [Double]) -> Double {
        var sum = ExactSum()
        for number in numbers { sum.add(number) }
        return sum.rounded()
    }
}
