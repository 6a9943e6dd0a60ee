/// A character that HTML writes by name or number, such as `&amp;` or `&#39;`.
enum HTMLEntity {
    /// The names that occur in texts by people; servers write all else as it is.
    private static let characters: [Substring: Character] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}", "shy": "\u{AD}",
        "hellip": "…", "mdash": "—", "ndash": "–", "bull": "•", "middot": "·", "times": "×", "deg": "°",
        "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”", "laquo": "«", "raquo": "»",
        "copy": "©", "reg": "®", "trade": "™", "euro": "€", "pound": "£", "sect": "§", "hearts": "♥",
        "larr": "←", "rarr": "→", "uarr": "↑", "darr": "↓",
    ]

    /// Returns the character with a name, which is what stands between `&` and `;`.
    ///
    /// - Returns: The replacement character for a number that is no character, and `nil` for a name that isn't known.
    static func character(named name: Substring) -> Character? {
        guard name.first == "#" else { return characters[name] }
        let digits = name.dropFirst()
        let number = digits.first?.lowercased() == "x" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        guard let number else { return nil }
        return Unicode.Scalar(number).map { $0.value == 0 ? "\u{FFFD}" : Character($0) } ?? "\u{FFFD}"
    }
}
