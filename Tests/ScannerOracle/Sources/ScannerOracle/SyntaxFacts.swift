import SwiftParser
import SwiftSyntax

/// What swift-syntax says of a file.
///
/// The rules by which comments attach are those of the design, applied to the syntax tree; nothing of the scanner is used.
final class SyntaxFacts: SyntaxVisitor {
    var facts = Facts()
    let lines: LineTable
    let collectsPlaces: Bool
    /// The declarations around the current node, outermost first.
    var declarations: [Declaration] = []
    /// The types around the current node, and what is known of each.
    var types: [EnclosingType] = []
    /// The `#if` branches around the current node, each with the directives that lead to it.
    var conditions: [[String]] = []
    /// How many bodies of code are around the current node.
    var codeDepth = 0
    /// How many attributes are around the current node, whose arguments can be whole declarations.
    var attributeDepth = 0
    /// How many initial values, and how many literals of text, are around the current node.
    var initializerDepth = 0
    var interpolationDepth = 0
    var stringDepth = 0
    /// The token before the current one; of a semicolon, also where that ends which it follows.
    var lastToken: (end: Int, declarations: [Declaration], endBefore: Int?)?
    var lastGapToken: TokenSyntax?
    /// The declarations around the token before the current one, of which some may have ended.
    var lastDeclarations: [Declaration] = []
    /// Where annotations can be put to see what the scanner says.
    var places = Places()
    /// Comments that wait for the token behind them.
    var waiting: [WaitingComment] = []

    static func of(_ text: [UInt8]) -> Facts { visitor(of: text).facts }

    /// Where something can be put into a file.
    static func places(in text: [UInt8]) -> Places { visitor(of: text, collectsPlaces: true).places }

    static func hasError(in text: [UInt8]) -> Bool {
        text.withUnsafeBufferPointer { Parser.parse(source: $0) }.hasError
    }

    private static func visitor(of text: [UInt8], collectsPlaces: Bool = false) -> SyntaxFacts {
        let tree = text.withUnsafeBufferPointer { Parser.parse(source: $0) }
        let visitor = SyntaxFacts(LineTable(text), collectsPlaces: collectsPlaces)
        visitor.facts.hasError = tree.hasError
        visitor.walk(tree)
        return visitor
    }

    private init(_ lines: LineTable, collectsPlaces: Bool) {
        self.lines = lines
        self.collectsPlaces = collectsPlaces
        super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: ExpressionSegmentSyntax) -> SyntaxVisitorContinueKind { enter(\.interpolationDepth) }
    override func visitPost(_ node: ExpressionSegmentSyntax) { interpolationDepth -= 1 }

    override func visit(_ node: StringLiteralExprSyntax) -> SyntaxVisitorContinueKind { enter(\.stringDepth) }
    override func visitPost(_ node: StringLiteralExprSyntax) { stringDepth -= 1 }

    override func visit(_ node: SimpleStringLiteralExprSyntax) -> SyntaxVisitorContinueKind { enter(\.stringDepth) }
    override func visitPost(_ node: SimpleStringLiteralExprSyntax) { stringDepth -= 1 }

    override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind { enter(\.attributeDepth) }
    override func visitPost(_ node: AttributeSyntax) { attributeDepth -= 1 }

    override func visit(_ node: RegexLiteralExprSyntax) -> SyntaxVisitorContinueKind { enter(\.stringDepth) }
    override func visitPost(_ node: RegexLiteralExprSyntax) { stringDepth -= 1 }

    override func visit(_ node: InitializerClauseSyntax) -> SyntaxVisitorContinueKind { enter(\.initializerDepth) }
    override func visitPost(_ node: InitializerClauseSyntax) { initializerDepth -= 1 }

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
        // In code there is none, whatever swift-syntax says.
        push(
            node,
            keyword: node.initKeyword,
            name: node.initKeyword,
            codeDepth == 0 || isMember(node) ? "init " : "elsewhere"
        )
        // One that may fail is called by nothing that is generated.
        if node.optionalMark == nil { addMember(node) }
        return .visitChildren
    }
    override func visitPost(_ node: InitializerDeclSyntax) { leave() }
    override func visit(_ node: DeinitializerDeclSyntax) -> SyntaxVisitorContinueKind {
        push(
            node,
            keyword: node.deinitKeyword,
            name: node.deinitKeyword,
            codeDepth == 0 || isMember(node) ? "deinit " : "elsewhere"
        )
        return .visitChildren
    }
    override func visitPost(_ node: DeinitializerDeclSyntax) { leave() }
    override func visit(_ node: SubscriptDeclSyntax) -> SyntaxVisitorContinueKind {
        push(
            node,
            keyword: node.subscriptKeyword,
            name: node.subscriptKeyword,
            codeDepth == 0 || isMember(node) ? "subscript " : "elsewhere"
        )
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

    override func visit(_ node: CodeBlockSyntax) -> SyntaxVisitorContinueKind { enter(\.codeDepth) }
    override func visitPost(_ node: CodeBlockSyntax) { codeDepth -= 1 }
    override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind { enter(\.codeDepth) }
    override func visitPost(_ node: ClosureExprSyntax) { codeDepth -= 1 }
    override func visit(_ node: AccessorBlockSyntax) -> SyntaxVisitorContinueKind { enter(\.codeDepth) }
    override func visitPost(_ node: AccessorBlockSyntax) { codeDepth -= 1 }
    override func visit(_ node: SwitchExprSyntax) -> SyntaxVisitorContinueKind { enter(\.codeDepth) }
    override func visitPost(_ node: SwitchExprSyntax) { codeDepth -= 1 }

    /// Counts that one more of something is around the nodes in the current one.
    private func enter(_ depth: ReferenceWritableKeyPath<SyntaxFacts, Int>) -> SyntaxVisitorContinueKind {
        self[keyPath: depth] += 1
        return .visitChildren
    }

    // MARK: Tokens

    override func visit(_ token: TokenSyntax) -> SyntaxVisitorContinueKind {
        readTrivia(token.leadingTrivia, from: token.position.utf8Offset)
        for comment in waiting {
            facts.add(.attachment, at: comment.offset, attachment(of: comment, before: token))
        }
        waiting = []
        let end = token.endPositionBeforeTrailingTrivia.utf8Offset
        if collectsPlaces, interpolationDepth == 0, stringDepth == 0 {
            notePlaces(of: token)
            places.lastTokenEnds[lines.line(of: end)] = end
        }
        if token.tokenKind != .shebang(token.text) {
            let isSemicolon = token.tokenKind == .semicolon
            lastToken = (end, isSemicolon ? lastDeclarations : declarations, isSemicolon ? lastToken?.end : nil)
            lastDeclarations = declarations
        }
        readTrivia(token.trailingTrivia, from: end)
        return .skipChildren
    }
}
