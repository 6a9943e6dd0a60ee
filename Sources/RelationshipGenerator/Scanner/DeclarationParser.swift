/// Finds the declarations of a file: types, stored properties, imports, and others that an annotation may be attached
/// to.
///
/// The parser reads the tokens once. It keeps its nesting on a stack of frames on the heap, so that deep nesting can't
/// overflow the thread's stack. It understands declarations and skips the rest. An error in one declaration ends where
/// the next declaration begins.
///
/// All functions and properties are `mutating`, because in a debug build a call of a nonmutating one would copy the
/// parser.
struct DeclarationParser {
    let source: SourceText
    private(set) var lexer: Lexer
    /// The current token.
    private(set) var token = Token()
    /// The previous token.
    private(set) var previous: Token?
    let file: ScannedFile
    /// The declarations, ordered by their beginnings.
    var items: [Item] = []
    /// The ranges inside attributes and modifiers, in source order: generic arguments and parenthesised text.
    var insides: [Range<Int>] = []
    /// The innermost frame.
    var frame = Frame(kind: .file, chainDepth: 0)
    var outerFrames: [Frame] = []
    /// All `#if` branches that have been found.
    let branches = ConditionalBranches()
    /// The current branches of the `#if` chains that are open.
    var chains: [Int] = []
    /// The state of the recovery from unmatched braces.
    var recovery = Recovery()
    /// The start of the directive that was read last.
    var directiveStart = 0
    /// Attributes that were read before their declaration: in an `#if` chain, or where an accessor could have followed.
    var pendingPrefix: Prefix?

    /// A nesting level of the source.
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

        let kind: Kind
        /// The number of `#if` chains that were open when the frame was entered.
        let chainDepth: Int
        /// The innermost type that contains the frame.
        var type: Int?
        /// Whether the frame is code, or inside code.
        var isLocal = false
        /// Whether the frame is the body of a protocol, and the number of stored properties in it.
        ///
        /// They are repeated here because a debug build copies the whole type to read one of them from it.
        var isProtocol = false
        var propertyCount = 0
        /// Whether the frame is the body of an enum, and the number of cases with associated values in it.
        var isEnum = false
        var caseCount = 0
        /// Whether the frame is the body of an enum of coding keys.
        var hasCodingKeys = false
        /// Whether a declaration of the frame is being read, and that declaration.
        var isInMember = false
        var member: Member?
        /// The offset of the opening brace.
        var brace: Int?
        /// The innermost body whose indentation is used: the number of frames around it, and the indentation of its
        /// declaration.
        var body: (depth: Int, indentation: Int)?
        /// Whether the contents of the frame are indented no more than its declaration.
        var isFlat = false
        /// Whether the end of the frame ends its declaration.
        var endsMember = false
    }

    /// A declaration that is being read.
    struct Member {
        let item: Int
        let property: PendingProperty?
    }

    /// A variable or constant that is being read.
    ///
    /// It is a class, because frames are moved often, and a debug build moves all their contents.
    final class PendingProperty {
        let declaration: PropertyDeclaration
        /// The names after the first one, or the names in a pattern.
        var otherBindings: [Binding]
        let isTuplePattern: Bool
        var hasSeveralBindings = false
        var angles = OpenAngles()
        let isStatic: Bool
        var isComputed = false
        var hasInitializer = false
        /// The start of the initial value.
        var initialValue: Int?
        /// The name that the body returns, if it does nothing else.
        var returnedName: String?

        init(_ declaration: PropertyDeclaration, otherBindings: [Binding], isTuplePattern: Bool, isStatic: Bool) {
            self.declaration = declaration
            self.otherBindings = otherBindings
            self.isTuplePattern = isTuplePattern
            self.isStatic = isStatic
        }
    }

    /// A name of a declaration with several names.
    struct Binding {
        let name: String
        let offset: Int
        var type: String?
        var hasInitialValue = false
    }

    /// A declaration that an annotation may be attached to.
    struct Item {
        enum Kind {
            case property(type: Int, property: Int)
            case enumCase(type: Int, index: Int)
            case other(Annotation.UnsuitableDeclaration)
        }

        var kind: Kind
        /// The start of its attributes and modifiers.
        let start: Int
        /// The start of its keyword, such as `var` or `func`.
        let keyword: Int
        /// The start of its name.
        let name: Int
        /// The end of its last token; for a declaration with a body, the end of the part before the body.
        var end: Int
        /// The offset of the semicolon after it.
        var semicolon: Int?
    }

    /// Creates a parser at the first token of a file.
    ///
    /// - Parameters:
    ///   - source: The text of the file.
    ///   - path: The path to print in messages.
    ///   - isRelevant: Whether a comment is kept; by default, whether it may be an annotation.
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

    /// The tokens after the current one, which stay to be read.
    @_optimize(none)
    mutating func upcoming(_ count: Int) -> [Token] {
        var ahead = lexer
        var tokens: [Token] = []
        var token = token
        while tokens.count < count {
            ahead.next(&token)
            tokens.append(token)
        }
        return tokens
    }

    /// Splits the `=` off an operator that ends a type: `Set<Int>=[]` and `Int?=nil` are valid without spaces.
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

    /// Whether the token is after the end of the current declaration.
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

    /// Whether the token is the reserved first word of a declaration on a new line, even if the previous one is
    /// incomplete.
    var beginsOtherDeclaration: Bool {
        mutating get { token.isFirstOnLine ? token.word.beginsDeclarationAnywhere : false }
    }

    /// Whether the token is a name.
    var isAtName: Bool {
        mutating get {
            switch token.kind {
            case .rawIdentifier: true
            case .identifier: !beginsOtherDeclaration
            default: false
            }
        }
    }

    /// Whether the previous token needs another one after it, on any line.
    var isContinued: Bool {
        mutating get {
            guard let previous else { return false }
            switch previous.kind {
            case .equals, .comma, .colon, .period, .arrow: return true
            // An angle on a line of its own closes generic arguments, and so does an angle after a type.
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
            property?.beginInitialValue()
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
            // The angle was an operator, so these are no generic arguments.
            property?.angles = OpenAngles()
            advance()
        case .leftBrace where property?.hasInitializer == true:
            consume(bodyOf: startOfMember)
            if isAtInitAccessor { outerFrames[outerFrames.count - 1].member?.property?.isComputed = true }
        case .leftBrace:
            if let property, property.declaration.name == "id" { property.returnedName = returnedName() }
            consume(bodyOf: startOfMember)
            frame.endsMember = true
            if property != nil { readFirstAccessor() }
        default:
            consume()
        }
    }

    /// The start of the current declaration.
    private var startOfMember: Int? {
        mutating get { frame.member.map { items[$0.item].start } }
    }

    /// The token as written, without redundant backticks.
    mutating func text(_ token: Token) -> String {
        let text = source.text(token.range)
        return token.kind == .rawIdentifier ? SwiftWords.normalized(text) : text
    }

    /// The name of the token, without backticks.
    mutating func name(_ token: Token) -> String {
        guard token.kind == .rawIdentifier else { return source.text(token.range) }
        return source.text(token.start + 1..<token.end - 1)
    }
}
