extension Character {
    /// How many columns a terminal gives to the character: none, one, or two for wide letters and emoji.
    var columns: Int {
        guard let first = unicodeScalars.first else { return 0 }
        if first.properties.isEmojiPresentation || unicodeScalars.contains("\u{FE0F}") { return 2 }
        switch first.properties.generalCategory {
        case .control, .format, .nonspacingMark, .enclosingMark, .lineSeparator, .paragraphSeparator: return 0
        default: return first.isEastAsianWide ? 2 : 1
        }
    }
}

extension Unicode.Scalar {
    /// Whether it belongs to one of the blocks of East Asian letters and signs, which are as wide as two Latin letters.
    fileprivate var isEastAsianWide: Bool {
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
            0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
            0x20000...0x3FFFD:
            true
        default: false
        }
    }

    /// Whether it would move the cursor, change colours or turn the direction of the text around it.
    fileprivate var controlsTerminal: Bool {
        switch value {
        case 0x0A: false
        case 0x202A...0x202E, 0x2066...0x2069: true
        default: properties.generalCategory == .control
        }
    }
}

extension String {
    /// How many columns a terminal gives to the text, which is one line.
    var columns: Int { reduce(0) { $0 + $1.columns } }

    /// The text without what would control the terminal; people on the internet can write anything.
    var printable: String {
        let text = replacing("\r\n", with: "\n").replacing("\t", with: " ")
        return String(String.UnicodeScalarView(text.unicodeScalars.filter { !$0.controlsTerminal }))
    }

    /// The printable text in one line, with one space between words.
    var singleLine: String { printable.split(whereSeparator: \.isWhitespace).joined(separator: " ") }

    /// Returns the text with spaces up to a number of columns.
    func padded(to columns: Int) -> String {
        self + String(repeating: " ", count: max(0, columns - self.columns))
    }

    /// Returns the beginning of the text, with an ellipsis if something is missing.
    func truncated(to columns: Int) -> String {
        guard self.columns > columns else { return self }
        return pieces(of: columns - 1)[0] + "…"
    }

    /// Returns the lines of the text, broken between words; a word that is longer than a line is broken anywhere.
    func wrapped(to width: Int) -> [String] {
        split(separator: "\n", omittingEmptySubsequences: false).flatMap { String($0).wrappedParagraph(to: width) }
    }

    private func wrappedParagraph(to width: Int) -> [String] {
        // A line that fits keeps its spaces, which may be a drawing.
        guard columns > width else { return [self] }
        var lines: [String] = []
        var line = ""
        for word in split(separator: " ") {
            let longer = line.isEmpty ? String(word) : line + " " + word
            if longer.columns <= width {
                line = longer
            } else {
                if !line.isEmpty { lines.append(line) }
                let pieces = String(word).pieces(of: width)
                lines += pieces.dropLast()
                line = pieces.last ?? ""
            }
        }
        return line.isEmpty ? lines : lines + [line]
    }

    /// The text cut into pieces of at most a number of columns; at least one piece, and one character in each.
    private func pieces(of width: Int) -> [String] {
        var pieces = [""]
        var room = width
        for character in self {
            if character.columns > room, !pieces[pieces.endIndex - 1].isEmpty {
                pieces.append("")
                room = width
            }
            pieces[pieces.endIndex - 1].append(character)
            room -= character.columns
        }
        return pieces
    }
}
