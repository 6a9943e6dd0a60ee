import SeededRandom

/// Makes a text of the files of a corpus.
struct Mutation {
    private let corpus: Corpus
    private var generator: SeededGenerator
    private var text: [UInt8] = []

    init(_ corpus: Corpus, _ generator: SeededGenerator) {
        self.corpus = corpus
        self.generator = generator
    }

    /// Pieces that open, close or hide something.
    private static let pieces: [[UInt8]] = [
        "\"", "\"\"\"", "#\"", "\"#", "\\(", "\\#(", "{", "}", "(", ")", "[", "]", "/*", "*/", "//", "/", "#/", "/#",
        "#if X\n", "#else\n", "#elseif Y\n", "#endif\n", "\n", "\r", "\r\n", "\n\n", "`", "@", "@A(", "<", ">", "->",
        "let ", "var ", "static ", "struct S {\n", "extension S {\n", "func f(", "case ", "private ", "<#", "#>", "\0",
        "\u{FEFF}", "\u{A0}", "é", "≠", "<<<<<<< a\n", ">>>>>>> b\n", "\\", "=", ":", ",", ";", ".", "...", "?", "!",
        "// relationship: A\n", "/* relationship: A */", "// relationship: A, name: b\n", "// relationshp: A\n",
        "\n// relationship: Author\nlet authorID: Author.ID\n", "\nstruct Author: Cachable { let id: String }\n",
        "import FlatCache\n", "@available(macOS 15, *)\n", "where ", "in ", "some P ", "class ", "init", "\u{2028}",
        "\u{B}", "\u{FE0F}", "/*\n*/", "::", "M::", "@M::A<B>.C(", "`a b`", "actor\n", "prefix operator +\n",
    ].map { Array($0.utf8) }

    /// What makes an output likely: an entity with a relationship, whose members are taken from elsewhere.
    private static let entity = Array(
        """

        struct Author: Cachable { let id: String }
        struct Post: Cachable {
            let id: String
            // relationship: Author
            let authorID: Author.ID
            // relationship: Tag - prose
            var tagIDs: [Tag.ID]?
            struct Tag: Cachable { let id: Int }
        }

        """.utf8
    )

    mutating func makeText() -> [UInt8] {
        text = file()
        if isChance(1, in: 2) { keepPart() }
        if isChance(1, in: 2) { insert(Self.entity, atLine: true) }
        for _ in 0..<Int.random(in: 1...8, using: &generator) { change() }
        return text
    }

    private mutating func file() -> [UInt8] { corpus.files.randomElement(using: &generator) ?? [] }

    private mutating func isChance(_ part: Int, in whole: Int) -> Bool {
        Int.random(in: 0..<whole, using: &generator) < part
    }

    private mutating func place() -> Int { Int.random(in: 0...text.count, using: &generator) }

    private mutating func keepPart() {
        let start = lineStart(before: place())
        text = Array(text[start..<min(text.count, start + Int.random(in: 0...3000, using: &generator))])
    }

    private func lineStart(before place: Int) -> Int {
        (text[..<place].lastIndex(of: 0x0A) ?? -1) + 1
    }

    private mutating func insert(_ bytes: [UInt8], atLine: Bool = false) {
        let place = place()
        text.insert(contentsOf: bytes, at: atLine ? lineStart(before: place) : place)
    }

    private mutating func change() {
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: remove(1)
        case 1: remove(Int.random(in: 1...200, using: &generator))
        case 2: if !text.isEmpty { text[min(place(), text.count - 1)] = UInt8.random(in: 0...255, using: &generator) }
        case 3: insertPartOfFile()
        case 4: moveLine()
        case 5: insert(Self.pieces.randomElement(using: &generator) ?? [], atLine: true)
        default: insert(Self.pieces.randomElement(using: &generator) ?? [])
        }
    }

    private mutating func remove(_ count: Int) {
        let start = place()
        text.removeSubrange(start..<min(text.count, start + count))
    }

    private mutating func insertPartOfFile() {
        let other = file()
        let start = Int.random(in: 0...other.count, using: &generator)
        let end = min(other.count, start + Int.random(in: 0...300, using: &generator))
        insert(Array(other[start..<end]), atLine: isChance(1, in: 2))
    }

    private mutating func moveLine() {
        let start = lineStart(before: place())
        let end = text[start...].firstIndex(of: 0x0A).map { $0 + 1 } ?? text.count
        let line = Array(text[start..<end])
        if isChance(1, in: 2) { text.removeSubrange(start..<end) }
        insert(line, atLine: true)
    }
}
