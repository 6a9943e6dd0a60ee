import SwiftParser
import SwiftSyntax

/// What swift-syntax says of a file.
///
/// The rules by which comments attach are those of the design, applied to the syntax tree; nothing of the scanner is used.
final class SyntaxFacts: SyntaxVisitor {
    var facts = Facts()
    let lines: LineTable
    /// The declarations around the current node, outermost first.
    var declarations: [Declaration] = []
    /// The types around the current node, and what is known of each.
    var types: [EnclosingType] = []
    /// The `#if` branches around the current node, each with the directives that lead to it.
    var conditions: [[String]] = []
    /// How many bodies of code are around the current node.
    var codeDepth = 0
    private var interpolationDepth = 0
    private var stringDepth = 0
    private var lastToken: (end: Int, declarations: [Declaration])?
    /// Where annotations can be put to see what the scanner says.
    var places = Places()
    /// Comments that wait for the token behind them.
    private var waiting: [WaitingComment] = []

    static func of(_ text: [UInt8]) -> Facts { visitor(of: text).facts }

    /// Where annotations can be put into a file.
    static func places(in text: [UInt8]) -> Places { visitor(of: text).places }

    private static func visitor(of text: [UInt8]) -> SyntaxFacts {
        let tree = text.withUnsafeBufferPointer { Parser.parse(source: $0) }
        let visitor = SyntaxFacts(LineTable(text))
        visitor.facts.hasError = tree.hasError
        visitor.walk(tree)
        return visitor
    }

    private init(_ lines: LineTable) {
        self.lines = lines
        super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: ExpressionSegmentSyntax) -> SyntaxVisitorContinueKind {
        interpolationDepth += 1
        return .visitChildren
    }

    override func visitPost(_ node: ExpressionSegmentSyntax) { interpolationDepth -= 1 }

    override func visit(_ node: StringLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        stringDepth += 1
        return .visitChildren
    }

    override func visitPost(_ node: StringLiteralExprSyntax) { stringDepth -= 1 }

    override func visit(_ node: StringSegmentSyntax) -> SyntaxVisitorContinueKind {
        places.stringSegments.append(node.position.utf8Offset)
        return .visitChildren
    }

    override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
        if codeDepth > 0, !node.item.is(DeclSyntax.self) { places.statements.append(node.offset) }
        return .visitChildren
    }

    override func visit(_ node: MemberBlockSyntax) -> SyntaxVisitorContinueKind {
        places.closingBraces.append(node.rightBrace.offset)
        return .visitChildren
    }

    // MARK: Types

    override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind { enter(node, "struct") }
    override func visitPost(_ node: StructDeclSyntax) { leaveType() }
    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind { enter(node, "class") }
    override func visitPost(_ node: ClassDeclSyntax) { leaveType() }
    override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind { enter(node, "enum") }
    override func visitPost(_ node: EnumDeclSyntax) { leaveType() }
    override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind { enter(node, "actor") }
    override func visitPost(_ node: ActorDeclSyntax) { leaveType() }
    override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind {
        enter(
            node,
            "protocol",
            name: node.name,
            called: node.name.text,
            genericParameters: node.primaryAssociatedTypeClause?.code ?? ""
        )
    }
    override func visitPost(_ node: ProtocolDeclSyntax) { leaveType() }
    override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
        enter(
            node,
            "extension",
            name: node.extendedType,
            called: extendedName(node.extendedType),
            genericParameters: extendedArguments(node.extendedType)
        )
    }
    override func visitPost(_ node: ExtensionDeclSyntax) { leaveType() }

    // MARK: Members

    override func visit(_ node: TypeAliasDeclSyntax) -> SyntaxVisitorContinueKind { enter(node) }
    override func visitPost(_ node: TypeAliasDeclSyntax) { leave() }
    override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind { enter(node) }
    override func visitPost(_ node: VariableDeclSyntax) { leave() }
    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind { enter(node) }
    override func visitPost(_ node: FunctionDeclSyntax) { leave() }
    override func visit(_ node: EnumCaseDeclSyntax) -> SyntaxVisitorContinueKind { enter(node) }
    override func visitPost(_ node: EnumCaseDeclSyntax) { leave() }
    override func visit(_ node: ImportDeclSyntax) -> SyntaxVisitorContinueKind { enter(node) }
    override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind { enter(node) }
    override func visitPost(_ node: IfConfigDeclSyntax) { leave(node) }
    override func visit(_ node: IfConfigClauseSyntax) -> SyntaxVisitorContinueKind { enter(node) }
    override func visitPost(_ node: IfConfigClauseSyntax) { conditions.removeLast() }
    override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
        push(node, keyword: node.initKeyword, name: node.initKeyword, "init ")
        return .visitChildren
    }
    override func visitPost(_ node: InitializerDeclSyntax) { leave() }
    override func visit(_ node: DeinitializerDeclSyntax) -> SyntaxVisitorContinueKind {
        push(node, keyword: node.deinitKeyword, name: node.deinitKeyword, "deinit ")
        return .visitChildren
    }
    override func visitPost(_ node: DeinitializerDeclSyntax) { leave() }
    override func visit(_ node: SubscriptDeclSyntax) -> SyntaxVisitorContinueKind {
        push(node, keyword: node.subscriptKeyword, name: node.subscriptKeyword, "subscript ")
        return .visitChildren
    }
    override func visitPost(_ node: SubscriptDeclSyntax) { leave() }
    override func visit(_ node: MacroDeclSyntax) -> SyntaxVisitorContinueKind {
        push(node, keyword: node.macroKeyword, name: node.name, "macro \(node.name.text)")
        return .visitChildren
    }
    override func visitPost(_ node: MacroDeclSyntax) { leave() }
    override func visit(_ node: OperatorDeclSyntax) -> SyntaxVisitorContinueKind {
        push(node, keyword: node.operatorKeyword, name: node.name, "operator \(node.name.text)")
        return .visitChildren
    }
    override func visitPost(_ node: OperatorDeclSyntax) { leave() }
    override func visit(_ node: PrecedenceGroupDeclSyntax) -> SyntaxVisitorContinueKind {
        push(node, keyword: node.precedencegroupKeyword, name: node.name, "precedencegroup \(node.name.text)")
        return .visitChildren
    }
    override func visitPost(_ node: PrecedenceGroupDeclSyntax) { leave() }
    override func visit(_ node: AssociatedTypeDeclSyntax) -> SyntaxVisitorContinueKind {
        push(node, keyword: node.associatedtypeKeyword, name: node.name, "associatedtype \(node.name.text)")
        return .visitChildren
    }
    override func visitPost(_ node: AssociatedTypeDeclSyntax) { leave() }

    // MARK: Code

    override func visit(_ node: CodeBlockSyntax) -> SyntaxVisitorContinueKind { enterCode() }
    override func visitPost(_ node: CodeBlockSyntax) { codeDepth -= 1 }
    override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind { enterCode() }
    override func visitPost(_ node: ClosureExprSyntax) { codeDepth -= 1 }
    override func visit(_ node: AccessorBlockSyntax) -> SyntaxVisitorContinueKind { enterCode() }
    override func visitPost(_ node: AccessorBlockSyntax) { codeDepth -= 1 }
    override func visit(_ node: SwitchExprSyntax) -> SyntaxVisitorContinueKind { enterCode() }
    override func visitPost(_ node: SwitchExprSyntax) { codeDepth -= 1 }

    private func enterCode() -> SyntaxVisitorContinueKind {
        codeDepth += 1
        return .visitChildren
    }

    // MARK: Comments

    private struct WaitingComment {
        var offset: Int
        var isFollowedByBlankLine = false
    }

    override func visit(_ token: TokenSyntax) -> SyntaxVisitorContinueKind {
        readTrivia(token.leadingTrivia, from: token.position.utf8Offset)
        for comment in waiting {
            facts.add(.attachment, at: comment.offset, attachment(of: comment, before: token))
        }
        waiting = []
        let end = token.endPositionBeforeTrailingTrivia.utf8Offset
        if interpolationDepth == 0, stringDepth == 0 { places.lastTokenEnds[lines.line(of: end)] = end }
        if token.tokenKind != .shebang(token.text) { lastToken = (end, declarations) }
        readTrivia(token.trailingTrivia, from: end)
        return .skipChildren
    }

    private func readTrivia(_ trivia: Trivia, from start: Int) {
        var offset = start
        // How many line ends there are since the last token or comment.
        var lineEnds = 0
        for piece in trivia {
            let style: String?
            switch piece {
            case .lineComment: style = "line"
            case .docLineComment: style = "documentationLine"
            case .blockComment: style = "block"
            case .docBlockComment: style = "documentationBlock"
            case .newlines(let count), .carriageReturns(let count), .carriageReturnLineFeeds(let count):
                style = nil
                lineEnds += count
                if lineEnds > 1 {
                    for index in waiting.indices { waiting[index].isFollowedByBlankLine = true }
                }
            default: style = nil
            }
            let length = piece.sourceLength.utf8Length
            if let style {
                lineEnds = 0
                addComment(style, offset..<offset + length)
            }
            offset += length
        }
    }

    private func addComment(_ style: String, _ range: Range<Int>) {
        if interpolationDepth > 0 { facts.commentsInInterpolations += 1 }
        if style.hasPrefix("block") { places.blockComments.append(range) }
        facts.add(.comment, at: range.lowerBound, "\(style) to \(range.upperBound)")
        if let lastToken, lines.line(of: lastToken.end) == lines.line(of: range.lowerBound) {
            facts.add(.attachment, at: range.lowerBound, trailingAttachment(of: range.lowerBound))
        } else {
            waiting.append(WaitingComment(offset: range.lowerBound))
        }
    }

    /// Behind something: the innermost declaration counts that the token before is in, if that is a property that has its
    /// name or its end on this line.
    private func trailingAttachment(of offset: Int) -> String {
        let line = lines.line(of: offset)
        let candidates = lastToken?.declarations.filter {
            lines.line(of: $0.name) == line || lines.line(of: $0.end - 1) == line
        }
        guard let innermost = candidates?.last, innermost.isProperty else { return "elsewhere" }
        return innermost.description
    }

    /// Above something: the innermost declaration counts among whose attributes and modifiers the next token is.
    private func attachment(of comment: WaitingComment, before token: TokenSyntax) -> String {
        if comment.isFollowedByBlankLine { return "blankLine" }
        switch token.tokenKind {
        case .endOfFile: return "endOfFile"
        case .rightBrace, .rightParen, .rightSquare, .poundElse, .poundElseif, .poundEndif: return "endOfScope"
        default: break
        }
        let offset = token.positionAfterSkippingLeadingTrivia.utf8Offset
        guard let innermost = declarations.last(where: { offset <= $0.keyword }) else { return "elsewhere" }
        return innermost.description
    }
}
