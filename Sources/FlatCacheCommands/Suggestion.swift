import RelationshipGenerator

/// The part of a message that suggests a similar word.
package enum Suggestion {
    package static func behind(_ word: String, from candidates: [String], otherwise: String) -> String {
        EditDistance.suggestion(for: word, from: candidates).map { "; did you mean '\($0)'?" } ?? otherwise
    }
}
