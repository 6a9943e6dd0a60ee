/// An error or a note at a location in a source file, printed in the form that compilers use.
///
///     Models/Post.swift:5:9: error: 'Authr' is not a type of this target; did you mean 'Author'?
///
/// It is a class for the same reason as ``PropertyDeclaration``.
package final class Diagnostic: Error, Sendable, CustomStringConvertible {
    /// The effect of a diagnostic.
    package enum Level: String, Sendable {
        /// Nothing is generated.
        case error
        /// The code is valid, but has a consequence that is easy to miss.
        case note
    }

    package let level: Level
    package let location: SourceLocation
    /// The problem, then the remedy after a semicolon, in one sentence without a final full stop.
    package let message: String

    init(_ location: SourceLocation, _ message: String, level: Level = .error) {
        self.level = level
        self.location = location
        self.message = message
    }

    /// The path of the file.
    package var path: String { location.path }

    package var description: String { "\(location): \(level): \(message)" }
}

/// The edit distance of words, for suggestions.
package enum EditDistance {
    /// The number of letters to insert, delete, replace or swap with a neighbour to turn one word into the other.
    static func between(_ first: String, _ second: String) -> Int {
        let first = Array(first.unicodeScalars)
        let second = Array(second.unicodeScalars)
        var beforeLast: [Int] = []
        var last = Array(0...second.count)
        for row in 1..<(first.count + 1) {
            var current = [row]
            for column in 1..<(second.count + 1) {
                let isSame = first[row - 1] == second[column - 1]
                var best = min(last[column] + 1, current[column - 1] + 1, last[column - 1] + (isSame ? 0 : 1))
                if row > 1, column > 1, first[row - 1] == second[column - 2], first[row - 2] == second[column - 1] {
                    best = min(best, beforeLast[column - 2] + 1)
                }
                current.append(best)
            }
            beforeLast = last
            last = current
        }
        return last[second.count]
    }

    /// The candidate that a misspelled word most likely means, or `nil` when no candidate is similar.
    package static func suggestion(for word: String, from candidates: some Sequence<String>) -> String? {
        suggestions(for: word, from: candidates).first
    }

    /// The candidates that a misspelled word most likely means, all with the same distance, sorted; empty when no
    /// candidate is similar.
    @_optimize(none)
    package static func suggestions(for word: String, from candidates: some Sequence<String>) -> [String] {
        let limit = word.count <= 3 ? 1 : max(2, word.count / 4)
        let near = candidates.map { ($0, between(word.lowercased(), $0.lowercased())) }.filter { $0.1 <= limit }
        let least = near.map(\.1).min()
        return near.filter { $0.1 == least }.map(\.0).sorted()
    }
}
