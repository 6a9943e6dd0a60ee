/// Finds the declarations of a file: types, their stored properties, imports, and what else could carry an annotation.
///
/// The parser goes through the tokens once. What it is inside of is kept on a stack of frames, not on that of the thread,
/// so that no depth of nesting is too deep. It understands declarations and skips everything else; an error in one
/// declaration ends where the next begins.
///
/// All functions and properties are `mutating`, also those that change nothing: in a build that isn't optimised, a call of
/// another kind would copy the parser first, with all it has found.
struct DeclarationParser {
    let source: SourceText
    private(set) var lexer: Lexer
    /// The token at which the parser stands.
    private(set) var token = Token()
    /// The one before it.
    private(set) var previous: Token?
    var file: ScannedFile
    /// The declarations in the order in which they begin.
    var items: [Item] = []
    /// What is inside of attributes and modifiers, in source order: generic arguments, and what is in parentheses.
    var insides: [Range<Int>] = []
    /// The innermost of what the parser is inside of, and what that is inside of.
    var frame = Frame(kind: .file, chainDepth: 0)
    var outerFrames: [Frame] = []
    /// All `#if` branches that have been met.
    let branches = ConditionalBranches()
    /// The current branches of the `#if` chains that are open.
    var chains: [Int] = []
    /// What is known of braces that don't match.
    var recovery = Recovery()
    /// Where the directive begins that was read last.
    var directiveStart = 0
    /// The attributes of the next declaration that have been read: in an `#if` chain of their own, or where an accessor might
    /// have followed them.
    var pendingPrefix: Prefix?

    /// What the parser is inside of.
    struct Frame {
        enum Kind: Equatable {
            case file
            /// The body of a type, by its index.
            case type(Int)
            /// The body of a function, an accessor, a closure or a statement.
            case code
            /// Parentheses or brackets.
            case group
        }

        var kind: Kind
        /// The number of `#if` chains that were open when the frame was entered.
        var chainDepth: Int
        /// The innermost type that the frame is the body of, or is inside of.
        var type: Int?
        /// Whether the frame is code, or inside of code.
        var isLocal = false
        /// Of the body of a type, whether that is a protocol, and how many stored properties have been found in it.
        ///
        /// A build that isn't optimised copies the whole type to read one of these from it.
        var isProtocol = false
        var propertyCount = 0
        /// Whether the rest of a declaration is being read, and which.
        var isInMember = false
        var member: Member?
        /// Where its opening brace is.
        var brace: Int?
        /// The innermost body, this one or around it, whose indentation is heeded: the number of frames around that, and how
        /// far the declaration is indented that it belongs to.
        var body: (depth: Int, indentation: Int)?
        /// Whether what is in it is indented no more than what it is the body of.
        var isFlat = false
        /// Whether the end of the frame ends the declaration it is the body of.
        var endsMember = false
    }

    /// A declaration whose rest is being read.
    struct Member {
        var item: Int
        var property: PendingProperty?
    }

    /// A variable or constant whose rest is being read.
    ///
    /// A class, because frames are moved often, and a build that isn't optimised moves all that is in them.
    final class PendingProperty {
        var declaration: PropertyDeclaration
        /// The names behind the first, or those in a pattern.
        var otherNames: [String]
        var isTuplePattern: Bool
        var hasSeveralBindings = false
        var angles = OpenAngles()
        var isStatic: Bool
        var isComputed = false
        var hasInitializer = false
        /// Where the initial value begins.
        var initialValue: Int?

        init(_ declaration: PropertyDeclaration, otherNames: [String], isTuplePattern: Bool, isStatic: Bool) {
            self.declaration = declaration
            self.otherNames = otherNames
            self.isTuplePattern = isTuplePattern
            self.isStatic = isStatic
        }
    }

    /// A declaration, as far as annotations can stand on it.
    struct Item {
        enum Kind {
            case property(type: Int, property: Int)
            case other(UnsuitableDeclaration)
        }

        var kind: Kind
        /// Where its attributes and modifiers begin.
        var start: Int
        /// Where the word that says what it is begins: `var`, `func`.
        var keyword: Int
        /// Where its name stands.
        var name: Int
        /// Where its last token ends; in a declaration with a body, its head.
        var end: Int
        /// Where the semicolon behind it is.
        var semicolon: Int?
    }

    /// Creates a parser at the first token of a file.
    ///
    /// - Parameters:
    ///   - source: The text of the file.
    ///   - path: The path to print in messages.
    ///   - isRelevant: Whether a comment shall be kept; as it stands, whether it looks like an annotation.
    init(
        _ source: SourceText,
        path: String,
        keeping isRelevant: @escaping (Range<Int>, SourceText) -> Bool = {
            AnnotationRecognizer.beginning(of: $0, in: $1) != nil
        }
    ) {
        self.source = source
        file = ScannedFile(path: path)
        lexer = Lexer(source, keeping: isRelevant)
        lexer.next(&token)
    }

    /// Reads the whole file.
    mutating func parse() {
        while token.kind != .endOfFile { step() }
        while !outerFrames.isEmpty { leaveUnclosedFrame() }
        closeMember()
    }

    mutating func advance() {
        previous = token
        lexer.next(&token)
    }

    /// Takes the `=` off an operator that ends a type: `Set<Int>=[]` and `Int?=nil` are the same without spaces.
    mutating func splitOffAssignment() {
        let end = token.end - 1
        guard end > token.start, source.bytes[end] == UInt8(ascii: "=") else { return }
        for offset in token.start..<end {
            switch source.bytes[offset] {
            case UInt8(ascii: ">"), UInt8(ascii: "?"), UInt8(ascii: "!"): continue
            default: return
            }
        }
        token.end = end
        lexer.offset = end
        lexer.previous = token
    }

    private mutating func step() {
        if recovery.isOn { leaveFramesByIndentation() }
        if frame.isInMember {
            guard endsMember() else { return continueMember() }
            closeMember()
        }
        if case .pound = token.kind, parseDirective() { return }
        if canBeginItem() {
            parseItem()
        } else {
            pendingPrefix = nil
            consume()
        }
    }

    /// Whether the token can be the first of a declaration.
    private mutating func canBeginItem() -> Bool {
        switch token.kind {
        case .at: break
        case .identifier: guard token.word.beginsDeclaration else { return false }
        default: return false
        }
        switch frame.kind {
        case .file, .type: return true
        case .group: return false
        case .code:
            if token.isFirstOnLine || pendingPrefix != nil { return true }
            guard let previous else { return true }
            switch previous.kind {
            case .leftBrace, .semicolon, .colon: return true
            default: return previous.isWord(.in)
            }
        }
    }

    /// Whether the token stands behind the declaration that is being read.
    private mutating func endsMember() -> Bool {
        switch token.kind {
        case .rightBrace, .semicolon: return true
        case .at, .identifier, .pound:
            guard token.isFirstOnLine else { return false }
            if isContinued { return beginsOtherDeclaration }
            return token.kind != .identifier || token.word.beginsDeclaration
        default: return false
        }
    }

    /// Whether the token is the reserved first word of a declaration on another line, whatever is missing before it.
    var beginsOtherDeclaration: Bool {
        mutating get { token.isFirstOnLine ? token.word.beginsDeclarationAnywhere : false }
    }

    /// Whether a name stands here.
    var isAtName: Bool {
        mutating get {
            switch token.kind {
            case .rawIdentifier: true
            case .identifier: !beginsOtherDeclaration
            default: false
            }
        }
    }

    /// Whether the previous token needs another one behind it, whatever line that is on.
    var isContinued: Bool {
        mutating get {
            guard let previous else { return false }
            switch previous.kind {
            case .equals, .comma, .colon, .period, .arrow: return true
            // An angle on a line of its own closes generic arguments, and so does one where only types stand.
            case .operator:
                let isInType = frame.isInMember && frame.member?.property?.hasInitializer != true
                let isBound = !previous.hasSpaceBefore || lexer.isLeftBound(at: previous.start)
                return !isBound && !((previous.isFirstOnLine || isInType) && closesAngles(previous))
            default: return false
            }
        }
    }

    private mutating func continueMember() {
        let property = frame.member?.property
        switch token.kind {
        case .equals where property != nil:
            property?.hasInitializer = true
            property?.angles = OpenAngles()
            advance()
            property?.initialValue = token.start
        case .comma where property != nil:
            rememberBindings()
            advance()
            readNextBinding()
        case .operator where property != nil:
            countAngles()
            advance()
        case .string, .number, .pound:
            // No generic arguments: the angle was an operator.
            property?.angles = OpenAngles()
            advance()
        case .leftBrace where property?.hasInitializer == true:
            consume(bodyOf: startOfMember)
            if isAtInitAccessor { outerFrames[outerFrames.count - 1].member?.property?.isComputed = true }
        case .leftBrace:
            consume(bodyOf: startOfMember)
            frame.endsMember = true
            if property != nil { readFirstAccessor() }
        default:
            consume()
        }
    }

    /// Where the declaration begins whose rest is being read.
    private var startOfMember: Int? {
        mutating get { frame.member.map { items[$0.item].start } }
    }

    /// A token as it is written, but for backticks that mean nothing.
    mutating func text(_ token: Token) -> String {
        let text = source.text(token.range)
        return token.kind == .rawIdentifier ? SwiftWords.normalized(text) : text
    }

    /// The name that a token is, without backticks.
    mutating func name(_ token: Token) -> String {
        guard token.kind == .rawIdentifier else { return source.text(token.range) }
        return source.text(token.start + 1..<token.end - 1)
    }
}
