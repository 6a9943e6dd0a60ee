/// The exact sum of floating-point numbers, from which numbers can also be removed.
///
/// It is a fixed-point number that is wide enough for every `Double`, after the long accumulator of Kulisch. So a sum depends
/// neither on the order of its numbers nor on those that were removed, and is rounded once.
struct ExactSum: Sendable {
    /// Digits of 32 bits, the least significant first.
    ///
    /// The lowest bit is worth 2 to the power of -1074. A digit has 31 bits more for carries that aren't propagated yet, which
    /// are enough for 2 to the power of 31 numbers between two calls of ``rounded()``.
    private var digits = [Int64](repeating: 0, count: 68)
    private var nanCount = 0
    private var positiveInfinityCount = 0
    private var negativeInfinityCount = 0

    init() {}

    /// Adds a number.
    mutating func add(_ number: Double) { add(number, sign: 1) }

    /// Removes a number that was added.
    mutating func remove(_ number: Double) { add(number, sign: -1) }

    private mutating func add(_ number: Double, sign: Int64) {
        guard number.isFinite else {
            if number.isNaN {
                nanCount += Int(sign)
            } else if number > 0 {
                positiveInfinityCount += Int(sign)
            } else {
                negativeInfinityCount += Int(sign)
            }
            return
        }
        let sign = number.sign == .minus ? -sign : sign
        // Subnormal numbers have the exponent 0 and no implicit bit, and the same scale as those with the exponent 1.
        let isNormal = number.exponentBitPattern > 0
        let significand = number.significandBitPattern | (isNormal ? 1 << 52 : 0)
        let shift = isNormal ? Int(number.exponentBitPattern) - 1 : 0
        let place = shift / 32
        // The significand is shifted by at most 31 bits, so it has at most 84 bits, which are three digits.
        let low = (significand & 0xFFFF_FFFF) << UInt64(shift % 32)
        let high = (significand >> 32) << UInt64(shift % 32)
        let middle = (low >> 32) + (high & 0xFFFF_FFFF)
        digits[place] += sign * Int64(low & 0xFFFF_FFFF)
        digits[place + 1] += sign * Int64(middle)
        digits[place + 2] += sign * Int64(high >> 32)
    }

    /// The sum, rounded once to the nearest number of a type, and to the even one of two.
    mutating func rounded<Number: BinaryFloatingPoint>(to type: Number.Type) -> Number {
        // A number that is rounded to odd can be rounded again to one with at least two bits less.
        Number(rounded(toOdd: Number.significandBitCount < Double.significandBitCount - 1))
    }

    /// The sum, rounded to the nearest number and to the even one of two, or to the odd one of the two beside it.
    mutating func rounded(toOdd: Bool = false) -> Double {
        if nanCount > 0 || positiveInfinityCount > 0 && negativeInfinityCount > 0 { return .nan }
        if positiveInfinityCount > 0 { return .infinity }
        if negativeInfinityCount > 0 { return -.infinity }
        propagateCarries()
        let isNegative = (digits.last ?? 0) < 0
        var magnitude = self
        if isNegative {
            for place in digits.indices { magnitude.digits[place] = -digits[place] }
            magnitude.propagateCarries()
        }
        let rounded = magnitude.roundedMagnitude(toOdd: toOdd)
        return isNegative ? -rounded : rounded
    }

    /// Makes all digits except the last one less than 2 to the power of 32, and not negative.
    private mutating func propagateCarries() {
        for place in 0..<digits.count - 1 {
            digits[place + 1] += digits[place] >> 32
            digits[place] &= 0xFFFF_FFFF
        }
    }

    /// The rounded sum, if no digit is negative or has a carry.
    private func roundedMagnitude(toOdd: Bool) -> Double {
        guard let last = digits.lastIndex(where: { $0 != 0 }) else { return 0 }
        let first = Swift.max(last - 2, 0)
        // The three highest digits have 65 to 96 bits. `Double.init` rounds 64 of them; the last of these is also set if
        // any bit after it is, so that a number just above the middle of two isn't taken for the middle.
        var top: UInt64 = 0
        var width = 0
        for place in (first...last).reversed() {
            let digit = UInt64(digits[place])
            let bits = place == last ? 64 - digit.leadingZeroBitCount : 32
            let taken = Swift.min(bits, 64 - width)
            top = taken == 64 ? digit : top << UInt64(taken) | digit >> UInt64(bits - taken)
            if taken < bits, digit & (1 << UInt64(bits - taken) - 1) != 0 { top |= 1 }
            width += taken
        }
        if digits[..<first].contains(where: { $0 != 0 }) { top |= 1 }
        let highestBits = 64 - UInt64(digits[last]).leadingZeroBitCount
        if toOdd, width > 53 {
            let dropped = UInt64(width - 53)
            let isExact = top & (1 << dropped - 1) == 0
            top = (top >> dropped | (isExact ? 0 : 1)) << dropped
        }
        let exponent = last * 32 + highestBits - width - 1074
        return Double(sign: .plus, exponent: exponent, significand: Double(top))
    }
}
