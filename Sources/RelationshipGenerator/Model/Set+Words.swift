extension Set<String> {
    /// Creates a set of the words of a text, which blanks separate.
    ///
    /// One literal compiles many times as fast as a list of literals.
    @inline(never)
    init(words: String) {
        self.init(words.split(separator: " ").map(String.init))
    }
}
