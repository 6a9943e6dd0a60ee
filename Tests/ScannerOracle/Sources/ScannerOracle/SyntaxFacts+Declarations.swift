import SwiftSyntax

extension SyntaxFacts {
    /// A declaration, as far as comments can stand on it.
    struct Declaration: Sendable {
        /// Where its first attribute, modifier or word begins.
        var start: Int
        /// Where the word that says what it is begins.
        var keyword: Int
        var name: Int
        /// Where its last token ends.
        var end: Int
        var description: String
        /// Whether it is a stored property, or a case with associated values, which can have an annotation.
        var isProperty = false
    }

    /// A type around others.
    struct EnclosingType {
        var qualifiedName: String
        var isProtocol: Bool
        var isEnum: Bool
        /// Whether it is an enum of coding keys.
        var hasCodingKeys: Bool
        /// How many `#if` chains are around its body.
        var conditionDepth: Int
    }

    /// Adds something that is said of a declaration, unless an attribute only names that.
    func addFact(_ topic: Fact.Topic, at offset: Int, _ text: String) {
        if attributeDepth == 0 { facts.add(topic, at: offset, text) }
    }

    func push(_ node: some SyntaxProtocol, keyword: TokenSyntax, name: some SyntaxProtocol, _ description: String) {
        declarations.append(
            Declaration(
                start: node.offset,
                keyword: keyword.offset,
                name: name.offset,
                end: node.endPositionBeforeTrailingTrivia.utf8Offset,
                description: description
            )
        )
    }

    func leave() { places.declarations.append(declarations.removeLast()) }

    var conditionText: String { conditions.map { $0.joined(separator: ";") }.joined(separator: " & ") }

    func qualified(_ name: String) -> String {
        types.last.map { $0.qualifiedName + "." + name } ?? name
    }
}

extension SyntaxProtocol {
    var offset: Int { positionAfterSkippingLeadingTrivia.utf8Offset }

    /// The text of all tokens, without comments, and without white space but where it parts words.
    var code: String {
        tokens(viewMode: .sourceAccurate).map(\.text).joined(separator: " ").withoutSpace
    }

    /// The code of a condition, with what white space makes of its operators: `A &&(B)` is no condition.
    var operatorCode: String {
        let pieces = tokens(viewMode: .sourceAccurate).map { token in
            switch token.tokenKind {
            case .prefixOperator(let text): "prefix" + text
            case .postfixOperator(let text): "postfix" + text
            default: token.text
            }
        }
        return pieces.joined(separator: " ").withoutSpace
    }
}

extension DeclModifierListSyntax {
    private static let accessLevels: Set<String> = ["private", "fileprivate", "internal", "package", "public", "open"]

    var access: String {
        last { Self.accessLevels.contains($0.name.text) && $0.detail == nil }?.name.text ?? "-"
    }

    var setterAccess: String {
        last { Self.accessLevels.contains($0.name.text) && $0.detail?.detail.text == "set" }?.name.text ?? "-"
    }

    var isStatic: Bool { contains { $0.name.text == "static" || $0.name.text == "class" } }

    var isLazy: Bool { contains { $0.name.text == "lazy" } }
}

extension AttributeListSyntax {
    /// The `@available` attributes, also those in `#if`.
    var availability: [String] {
        flatMap { element -> [String] in
            if let chain = element.as(IfConfigDeclSyntax.self) {
                return chain.clauses.flatMap { $0.elements?.as(AttributeListSyntax.self)?.availability ?? [] }
            }
            guard let attribute = element.as(AttributeSyntax.self) else { return [] }
            return attribute.attributeName.code == "available" ? [attribute.code] : []
        }
    }
}
