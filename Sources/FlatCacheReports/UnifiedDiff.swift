import RelationshipGenerator

/// A unified diff between two versions of a file, which `patch` and `git apply` accept.
package struct UnifiedDiff: Sendable {
    /// The text of the diff; empty when there is no change.
    package let text: [UInt8]
    /// The first changed line of the old file, counted from 1, or 1 when there is no old file.
    package let firstLine: Int

    /// Compares two versions of a file.
    ///
    /// - Parameters:
    ///   - path: The path of the file, relative to the folder where the diff is applied.
    ///   - old: The current bytes of the file, or `nil` when there is no file.
    ///   - new: The new bytes of the file, or `nil` when the file should be removed.
    package init(path: String, old: [UInt8]?, new: [UInt8]?) {
        let oldLines = Self.lines(of: old ?? [])
        let newLines = Self.lines(of: new ?? [])
        let difference = LineDifference(old: oldLines, new: newLines)
        let hunks = Self.hunks(of: difference)
        firstLine = max(1, hunks.first.map { Self.firstChange(in: $0, of: difference) + 1 } ?? 1)
        guard !hunks.isEmpty || (old == nil) != (new == nil) else {
            text = []
            return
        }
        var text: [UInt8] = []
        text += Self.header("---", old == nil ? nil : "a/\(path)")
        text += Self.header("+++", new == nil ? nil : "b/\(path)")
        for hunk in hunks { text += Self.text(of: hunk, difference, oldLines, newLines) }
        self.text = text
    }

    /// Corresponding ranges of lines in both files.
    private struct Hunk {
        var old: Range<Int>
        var new: Range<Int>
    }

    /// The number of unchanged lines around changes.
    private static let context = 3

    /// The lines of a text, with their line ends.
    private static func lines(of text: [UInt8]) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var start = 0
        text.withUnsafeBufferPointer { bytes in
            for index in 0..<bytes.count where bytes[index] == Byte.lineFeed {
                lines.append(text[start..<(index + 1)])
                start = index + 1
            }
        }
        if start < text.count { lines.append(text[start...]) }
        return lines
    }

    /// The changes with the lines around them.
    ///
    /// Changes that are near each other share a hunk.
    private static func hunks(of difference: LineDifference) -> [Hunk] {
        let (oldCount, newCount) = (difference.isRemoved.count, difference.isInserted.count)
        var hunks: [Hunk] = []
        var (old, new) = (0, 0)
        while old < oldCount || new < newCount {
            let (oldStart, newStart) = (old, new)
            while old < oldCount, difference.isRemoved[old] { old += 1 }
            while new < newCount, difference.isInserted[new] { new += 1 }
            guard old > oldStart || new > newStart else {
                old += 1
                new += 1
                continue
            }
            let before = min(context, oldStart, newStart)
            let after = min(context, oldCount - old, newCount - new)
            let hunk = Hunk(old: (oldStart - before)..<(old + after), new: (newStart - before)..<(new + after))
            if let last = hunks.last, last.old.upperBound >= hunk.old.lowerBound {
                hunks[hunks.count - 1].old = last.old.lowerBound..<hunk.old.upperBound
                hunks[hunks.count - 1].new = last.new.lowerBound..<hunk.new.upperBound
            } else {
                hunks.append(hunk)
            }
        }
        return hunks
    }

    private static func firstChange(in hunk: Hunk, of difference: LineDifference) -> Int {
        for (old, new) in zip(hunk.old, hunk.new) where difference.isRemoved[old] || difference.isInserted[new] {
            return old
        }
        return hunk.old.upperBound - (hunk.old.count > hunk.new.count ? 1 : 0)
    }

    private static func text(
        of hunk: Hunk,
        _ difference: LineDifference,
        _ oldLines: [ArraySlice<UInt8>],
        _ newLines: [ArraySlice<UInt8>]
    ) -> [UInt8] {
        var text = Array("@@ -\(range(hunk.old)) +\(range(hunk.new)) @@\n".utf8)
        var (old, new) = (hunk.old.lowerBound, hunk.new.lowerBound)
        while old < hunk.old.upperBound || new < hunk.new.upperBound {
            if old < hunk.old.upperBound, difference.isRemoved[old] {
                append(oldLines[old], mark: UInt8(ascii: "-"), to: &text)
                old += 1
            } else if new < hunk.new.upperBound, difference.isInserted[new] {
                append(newLines[new], mark: UInt8(ascii: "+"), to: &text)
                new += 1
            } else {
                append(oldLines[old], mark: UInt8(ascii: " "), to: &text)
                old += 1
                new += 1
            }
        }
        return text
    }

    private static func append(_ line: ArraySlice<UInt8>, mark: UInt8, to text: inout [UInt8]) {
        text.append(mark)
        text += line
        if line.last != Byte.lineFeed { text += "\n\\ No newline at end of file\n".utf8 }
    }

    /// The lines as the header of a hunk gives them.
    ///
    /// An empty range is given by the line before it.
    private static func range(_ lines: Range<Int>) -> String {
        let start = lines.isEmpty ? lines.lowerBound : lines.lowerBound + 1
        return lines.count == 1 ? "\(start)" : "\(start),\(lines.count)"
    }

    /// The name of a file as `git` writes it: quoted if needed, and followed by a tab if it contains spaces.
    private static func header(_ mark: String, _ path: String?) -> [UInt8] {
        guard let path else { return Array("\(mark) /dev/null\n".utf8) }
        let needsQuotes = path.utf8.contains { $0 < 0x20 || $0 == Byte.quote || $0 == Byte.backslash || $0 == 0x7F }
        guard needsQuotes else {
            return Array("\(mark) \(path)\(path.contains(" ") ? "\t" : "")\n".utf8)
        }
        var quoted = Array("\(mark) \"".utf8)
        for byte in path.utf8 {
            switch byte {
            case Byte.quote, Byte.backslash: quoted += [Byte.backslash, byte]
            case ..<0x20, 0x7F: quoted += "\\\(octal(byte))".utf8
            default: quoted.append(byte)
            }
        }
        return quoted + "\"\n".utf8
    }

    private static func octal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 8)
        return String(repeating: "0", count: 3 - digits.count) + digits
    }
}
