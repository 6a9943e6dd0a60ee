/// Writes a number with a fixed count of digits behind the point.
func decimal(_ value: Double, digits: Int) -> String {
    let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
    let scaled = (abs(value) * scale).rounded()
    // Nothing that is measured here is that large, and an `Int` has no room for what is.
    guard scaled < 1e18 else { return "\(value)" }
    let whole = String(Int(scaled))
    let padded = String(repeating: "0", count: max(0, digits + 1 - whole.count)) + whole
    let sign = value < 0 && scaled > 0 ? "-" : ""
    return digits == 0 ? sign + padded : "\(sign)\(padded.dropLast(digits)).\(padded.suffix(digits))"
}

/// Writes a number with about three significant digits.
func brief(_ value: Double) -> String {
    switch abs(value) {
    case ..<9.995: decimal(value, digits: 2)
    case ..<99.95: decimal(value, digits: 1)
    default: decimal(value, digits: 0)
    }
}

/// Fills a text up to a width: in front of it, or behind it if the width is negative.
func padded(_ text: String, _ width: Int) -> String {
    let filling = String(repeating: " ", count: max(0, abs(width) - text.count))
    return width < 0 ? text + filling : filling + text
}
