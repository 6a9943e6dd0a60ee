/// A piece of source text other than white space and comments.
struct Token {
    enum Kind {
        case identifier, rawIdentifier, number, string, regularExpression, `operator`
        case leftBrace, rightBrace, leftParenthesis, rightParenthesis, leftBracket, rightBracket
        case comma, colon, semicolon, period, equals, arrow, at
        /// `::`
        case moduleSelector
        /// `#` and the word after it: a directive or a macro.
        case pound
        case other
        /// A line end at which an interpolation should have ended. The lexer never returns it to a parser.
        case lineEnd
        case endOfFile

        /// Written out, because the derived implementation is slow in a debug build.
        static func == (lhs: Kind, rhs: Kind) -> Bool {
            unsafeBitCast(lhs, to: UInt8.self) == unsafeBitCast(rhs, to: UInt8.self)
        }
    }

    var kind = Kind.endOfFile
    /// The word of an identifier, or the word after the `#` of a directive.
    var word = Word.other
    /// Whether the token is the first on its line.
    var isFirstOnLine = true
    /// Whether white space or a comment directly precedes the token.
    var hasSpaceBefore = false
    var start = 0
    var end = 0

    var range: Range<Int> { start..<end }

    /// Whether the token is a word with a meaning, not a name in backticks.
    func isWord(_ word: Word) -> Bool { self.word == word }
}

/// A comment as the lexer reads it.
struct Comment {
    let style: CommentStyle
    /// The range from the delimiter to the line end, which is excluded.
    let range: Range<Int>
    /// Whether no token precedes the comment on its line.
    let isFirstOnLine: Bool
    /// The range of the previous token.
    var previous: Range<Int>?
    /// The next token, set once it has been lexed; empty at the end of the file.
    var next = Token()
    /// Whether there is a blank line between the comment and the next token.
    var isFollowedByBlankLine = false
}

/// The four ways to write a comment in Swift.
enum CommentStyle: Sendable {
    case line, documentationLine, block, documentationBlock
}

/// The nesting inside parentheses or brackets, counted from the opening one.
///
/// Inside braces only braces count, so that an error in a closure has no effect after its end.
struct GroupNesting {
    private var groups = 0
    private var braces = 0
    private var hasBegun = false

    /// Whether the closing parenthesis has been read.
    var isClosed: Bool { hasBegun && groups <= 0 && braces == 0 }

    /// Whether the parser is in no closure or other code inside the group.
    var isOutsideBraces: Bool { braces == 0 }

    /// Whether the parser is in no nested group or code.
    var isOutermost: Bool { groups == 1 && braces == 0 }

    /// Counts a token.
    mutating func pass(_ token: Token) {
        switch token.kind {
        case .leftBrace: braces += 1
        case .rightBrace: braces -= 1
        case .leftParenthesis, .leftBracket: if braces == 0 { groups += 1 }
        case .rightParenthesis, .rightBracket: if braces == 0 { groups -= 1 }
        default: break
        }
        hasBegun = true
    }
}

/// A word with a meaning for the lexer or the parser.
enum Word: String, CaseIterable {
    /// Any other word, or no word.
    case other = ""

    case `import`, `struct`, `class`, `enum`, actor, `protocol`, `extension`, `typealias`, `associatedtype`, `var`,
        `let`
    case `func`, `init`, `deinit`, `subscript`, `case`, `operator`, `precedencegroup`, macro

    case `public`, `private`, `fileprivate`, `internal`, package, open, `static`, final, lazy, weak, unowned, mutating
    case nonmutating, override, required, convenience, dynamic, optional, indirect, prefix, postfix, infix
    case nonisolated, distributed, borrowing, consuming, legacyConsuming = "__consuming", isolated

    case `where`, willSet, didSet

    case any, some, `inout`, each, `throws`, async, `rethrows`, reasync

    case `if`, `elseif`, `else`, endif

    case `in`, `return`, `throw`, `guard`, `while`, `for`, `switch`, `default`, `do`, `repeat`, `defer`, `try`, `is`,
        `as`
    case `true`, `false`, `nil`, `self`, `Self`, `super`, `Any`
}

extension Word {
    /// Whether the word introduces a declaration.
    var isIntroducer: Bool {
        switch self {
        case .import, .struct, .class, .enum, .actor, .protocol, .extension, .typealias, .associatedtype, .var, .let,
            .func, .`init`, .deinit, .subscript, .case, .operator, .precedencegroup, .macro:
            true
        default: false
        }
    }

    /// Whether the word introduces a declaration and has no other meaning, so that no expression continues with it.
    var isReservedIntroducer: Bool {
        switch self {
        case .actor, .`init`, .case, .macro: false
        default: isIntroducer
        }
    }

    /// Whether the word begins a declaration when it is the first word of a line.
    var beginsDeclarationAnywhere: Bool {
        switch self {
        case .public, .private, .fileprivate, .internal, .static: true
        default: isReservedIntroducer
        }
    }

    /// Whether the word introduces a declaration in the body of a function, too.
    var isLocalIntroducer: Bool {
        switch self {
        case .import, .struct, .class, .enum, .actor, .protocol, .extension, .typealias, .var, .let, .func: true
        default: false
        }
    }

    /// Whether the word can precede one that introduces a declaration.
    var isModifier: Bool {
        switch self {
        case .public, .private, .fileprivate, .internal, .package, .open, .static, .final, .lazy, .weak, .unowned,
            .mutating, .nonmutating, .override, .required, .convenience, .dynamic, .optional, .indirect, .prefix,
            .postfix, .infix, .nonisolated, .distributed, .borrowing, .consuming, .legacyConsuming, .isolated:
            true
        default: false
        }
    }

    /// The kind of type that the word declares.
    var declaredKind: TypeDeclaration.Kind? {
        switch self {
        case .struct: .struct
        case .class: .class
        case .enum: .enum
        case .actor: .actor
        case .protocol: .protocol
        case .extension: .extension
        default: nil
        }
    }

    /// Whether the word is a modifier that can have arguments in parentheses.
    var isModifierWithArgument: Bool {
        switch self {
        case .public, .private, .fileprivate, .internal, .package, .open, .unowned, .nonisolated: true
        default: false
        }
    }

    /// Whether a type continues after the word.
    var isContinuedByType: Bool {
        switch self {
        case .any, .some, .inout, .each, .throws, .async, .nonisolated: true
        default: false
        }
    }

    /// Whether the word is an effect in the type of a function.
    var isEffect: Bool {
        switch self {
        case .throws, .async, .rethrows, .reasync: true
        default: false
        }
    }

    var beginsDeclaration: Bool { isIntroducer || isModifier }

    /// Whether the word is an operand by itself, so that a binary operator can follow.
    var isOperand: Bool {
        switch self {
        case .true, .false, .nil, .`self`, .`Self`, .super, .Any: true
        default: false
        }
    }

    /// Whether the word is reserved: without backticks it is never a name.
    var isReserved: Bool {
        switch self {
        case .in, .return, .throw, .guard, .while, .for, .switch, .default, .do, .repeat, .defer, .try, .is, .as, .if,
            .else, .case, .where, .true, .false, .nil, .super, .Any:
            true
        default: isReservedIntroducer
        }
    }
}

/// A hash table of words.
///
/// The key is a word's length, its first letter and its last letter.
struct WordTable {
    /// The index of the first word for each hash.
    ///
    /// The index is 0 for a hash without words. Words with the same hash are adjacent.
    private let slots: UnsafeMutablePointer<UInt8>
    private let words: UnsafeMutablePointer<Word>
    /// The letters of all words, padded with zeros to the same length.
    private let letters: UnsafeMutablePointer<UInt8>

    private static let slotCount = 512
    private static let stride = 16

    /// The only table.
    ///
    /// It is never changed or freed.
    nonisolated(unsafe) static let shared = WordTable()

    private init() {
        let all = Word.allCases
        slots = .allocate(capacity: Self.slotCount)
        slots.initialize(repeating: 0, count: Self.slotCount)
        words = .allocate(capacity: all.count)
        letters = .allocate(capacity: all.count * Self.stride)
        letters.initialize(repeating: 0, count: all.count * Self.stride)
        for (index, word) in all.enumerated() {
            words[index] = word
            let text = letters + index * Self.stride
            for (position, byte) in word.rawValue.utf8.enumerated() { text[position] = byte }
            guard word != .other else { continue }
            var slot = hash(text, word.rawValue.utf8.count)
            while slots[slot] != 0 { slot = (slot + 1) & 511 }
            slots[slot] = UInt8(index)
        }
    }

    /// The word with the given letters.
    ///
    /// - Complexity: O(1), and a few instructions in the common case that there is no such word.
    func word(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Word {
        if count > 15 { return .other }
        var slot = hash(bytes, count)
        while true {
            let index = Int(slots[slot])
            if index == 0 { return .other }
            let text = letters + index * 16
            var position = 0
            while position < count, text[position] == bytes[position] { position += 1 }
            if position == count, text[position] == 0 { return words[index] }
            slot = (slot + 1) & 511
        }
    }

    private func hash(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int {
        (Int(bytes[0]) &* 5 &+ Int(bytes[count - 1]) &* 19 &+ count &* 67) & 511
    }
}
