/// Finds the declarations of a file: types, their stored properties, imports, and what else could carry an annotation.
///
/// The parser goes through the tokens once. What it is inside of is kept on a stack of frames, not on that of the thread,
/// so that no depth of nesting is too deep. It understands declarations and skips everything else; an error in one
/// declaration ends where the next begins.
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
    var frames: [Frame] = [Frame(kind: .file, chainDepth: 0)]
    /// The `#if` chains that are open, each with the directives up to its current branch.
    var chains: [ConditionalBranch] = []
    /// Where the directive begins that was read last.
    var directiveStart = 0
    /// The attributes of the next declaration that stand in an `#if` chain of their own.
    var conditionalPrefix: Prefix?

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
        /// The declaration whose rest is being read.
        var member: Member?
        /// Whether the end of the frame ends the declaration it is the body of.
        var endsMember = false
    }

    /// A declaration whose rest is being read.
    struct Member {
        var item: Int
        var property: PendingProperty?
    }

    /// A variable or constant whose rest is being read.
    struct PendingProperty {
        var declaration: PropertyDeclaration
        var names: [String]
        var isTuplePattern: Bool
        var hasSeveralBindings = false
        var isStatic: Bool
        var isComputed = false
        var hasInitializer = false
        /// Where the initial value begins.
        var initialValue: Int?
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
        while !frames.isEmpty { leaveFrame() }
    }

    mutating func advance() {
        previous = token
        lexer.next(&token)
    }

    private mutating func step() {
        if frames[frames.count - 1].member != nil {
            guard endsMember() else { return continueMember() }
            closeMember()
        }
        if token.kind == .pound, parseDirective() { return }
        if canBeginItem {
            parseItem()
        } else {
            conditionalPrefix = nil
            consume()
        }
    }

    /// Whether the token can be the first of a declaration.
    private var canBeginItem: Bool {
        guard token.kind == .at || token.kind == .identifier else { return false }
        switch frames[frames.count - 1].kind {
        case .file, .type: return true
        case .group: return false
        case .code:
            if token.isFirstOnLine { return true }
            guard let previous else { return true }
            if previous.kind == .leftBrace || previous.kind == .semicolon || previous.kind == .colon { return true }
            return previous.kind == .identifier && text(previous) == "in"
        }
    }

    /// Whether the token stands behind the declaration that is being read.
    private func endsMember() -> Bool {
        switch token.kind {
        case .rightBrace, .semicolon: return true
        case .at, .identifier, .pound:
            guard token.isFirstOnLine else { return false }
            if isContinued { return beginsOtherDeclaration }
            return token.kind != .identifier || Keyword.beginsDeclaration(text(token))
        default: return false
        }
    }

    /// Whether the token is the reserved first word of a declaration on another line, whatever is missing before it.
    var beginsOtherDeclaration: Bool {
        token.isFirstOnLine && token.kind == .identifier && Keyword.reservedBeginnings.contains(text(token))
    }

    /// Whether a name stands here.
    var isAtName: Bool {
        token.kind == .rawIdentifier || (token.kind == .identifier && !beginsOtherDeclaration)
    }

    /// Whether the previous token needs another one behind it, whatever line that is on.
    var isContinued: Bool {
        guard let previous else { return false }
        switch previous.kind {
        case .equals, .comma, .colon, .period, .arrow: return true
        case .operator: return previous.hasSpaceBefore
        default: return false
        }
    }

    private mutating func continueMember() {
        guard let property = frames[frames.count - 1].member?.property else {
            let isBody = token.kind == .leftBrace
            consume()
            if isBody { frames[frames.count - 1].endsMember = true }
            return
        }
        switch token.kind {
        case .equals:
            frames[frames.count - 1].member?.property?.hasInitializer = true
            advance()
            frames[frames.count - 1].member?.property?.initialValue = token.range.lowerBound
        case .comma:
            advance()
            readNextBinding()
        case .leftBrace where !property.hasInitializer:
            let frame = frames.count - 1
            consume()
            frames[frames.count - 1].endsMember = true
            while token.kind == .at { _ = readAttribute() }
            // Observers watch a stored property; anything else computes it.
            let isObserved = token.kind == .identifier && ["willSet", "didSet"].contains(text(token))
            frames[frame].member?.property?.isComputed = !isObserved
        default:
            consume()
        }
    }

    /// Reads another name of a declaration such as `let a: Int, b: Int`.
    private mutating func readNextBinding() {
        guard isAtName || token.kind == .leftParenthesis else { return }
        let names = readPattern()
        frames[frames.count - 1].member?.property?.names += names
        frames[frames.count - 1].member?.property?.hasSeveralBindings = true
        frames[frames.count - 1].member?.property?.hasInitializer = false
        if token.kind == .colon {
            advance()
            _ = readType()
        }
    }

    /// Goes over a token that means nothing here but where it opens or closes something.
    mutating func consume() {
        switch token.kind {
        case .leftBrace:
            advance()
            enterFrame(.code)
        case .leftParenthesis, .leftBracket:
            advance()
            enterFrame(.group)
        case .rightParenthesis, .rightBracket:
            // A closing parenthesis that nothing has opened is an error of the file, not of the parser.
            if frames[frames.count - 1].kind == .group { frames.removeLast() }
            advance()
        case .rightBrace:
            while frames.count > 1 && frames[frames.count - 1].kind == .group { frames.removeLast() }
            advance()
            if frames.count > 1 { leaveFrame() }
        default:
            advance()
        }
    }

    mutating func enterFrame(_ kind: Frame.Kind) {
        frames.append(Frame(kind: kind, chainDepth: chains.count))
    }

    /// Leaves the bodies that were entered in the current `#if` branch, which ends here; their closing braces are missing.
    mutating func leaveFramesInsideBranch() {
        while frames.count > 1, !chains.isEmpty, frames[frames.count - 1].chainDepth >= chains.count { leaveFrame() }
    }

    private mutating func leaveFrame() {
        if frames[frames.count - 1].member != nil { closeMember() }
        let frame = frames.removeLast()
        // What begins in a body ends in it; an `#endif` is missing.
        if chains.count > frame.chainDepth { chains.removeLast(chains.count - frame.chainDepth) }
        if frame.endsMember, !frames.isEmpty, frames[frames.count - 1].member != nil { closeMember() }
    }

    func text(_ token: Token) -> String { source.text(token.range) }

    /// The name that a token is, without backticks.
    func name(_ token: Token) -> String {
        guard token.kind == .rawIdentifier else { return text(token) }
        return source.text(token.range.lowerBound + 1..<token.range.upperBound - 1)
    }
}
