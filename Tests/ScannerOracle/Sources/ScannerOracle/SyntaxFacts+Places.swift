import SwiftSyntax

/// Where something can be put into a file.
extension SyntaxFacts {
    func notePlaces(of token: TokenSyntax) {
        let offset = token.offset
        if lastToken.map({ lines.line(of: $0.end) < lines.line(of: offset) }) ?? false {
            let attached = attachment(of: WaitingComment(offset: offset), before: token)
            if !attached.hasPrefix("property "), !attached.hasPrefix("enumCase ") { places.otherLines.append(offset) }
        }
        // The scanner takes `class` on a line of its own for a declaration, not for an inherited type of old Swift.
        guard token.keyPathInParent != \ClassRestrictionTypeSyntax.classKeyword else { return }
        // Between a keyword and a name the scanner reports the declaration, to which nothing is attached either.
        if let last = declarations.last, last.name == offset, last.keyword < offset, !last.isProperty { return }
        let before = lastToken.map { $0.end < offset } ?? false
        places.gaps.append(
            Places.Gap(
                offset: offset,
                isSpaced: before,
                isBesideOperator: lastGapToken?.isOperator == true || token.isOperator,
                lineEnd: lineEnd(before: token)
            )
        )
        lastGapToken = token
    }

    private func lineEnd(before token: TokenSyntax) -> Places.LineEnd {
        guard codeDepth == 0, initializerDepth == 0, !token.isInCondition else { return .means }
        // The scanner takes such a name on a line of its own for the beginning of a declaration.
        guard token.keyPathInParent != \FunctionParameterSyntax.secondName else { return .means }
        return lastGapToken?.isContinued == true || token.isContinuation ? .meansNothing : .mayMean
    }
}

extension TokenSyntax {
    /// Whether it is an operator, or is one or another thing by what stands around it.
    var isOperator: Bool {
        switch tokenKind {
        case .binaryOperator, .prefixOperator, .postfixOperator, .infixQuestionMark, .postfixQuestionMark,
            .exclamationMark, .equal, .arrow, .ellipsis, .prefixAmpersand, .leftAngle, .rightAngle, .period, .backslash,
            .atSign, .pound:
            true
        default: false
        }
    }

    /// Whether what it is in goes on behind it, on whatever line.
    var isContinued: Bool {
        switch tokenKind {
        case .leftParen, .leftSquare, .leftAngle, .comma, .colon, .arrow, .equal, .period: true
        case .keyword(let keyword): Self.introducers.contains(keyword)
        default: false
        }
    }

    /// Whether it goes on with something, on whatever line it is.
    var isContinuation: Bool {
        switch tokenKind {
        case .rightParen, .rightSquare, .rightAngle, .comma, .colon, .arrow, .equal, .period, .keyword(.where): true
        case .leftBrace: parent?.is(AccessorBlockSyntax.self) == false
        default: false
        }
    }

    private static let introducers: Set<Keyword> = [
        .var, .let, .func, .struct, .class, .enum, .extension, .protocol, .typealias, .where, .any, .some, .public,
        .internal, .private, .static, .final, .override, .mutating, .lazy,
    ]

    /// Whether it is in the condition of an `#if`, which ends with the line.
    var isInCondition: Bool {
        var node = parent
        while let ancestor = node, !ancestor.is(MemberBlockItemSyntax.self), !ancestor.is(CodeBlockItemSyntax.self) {
            if ancestor.keyPathInParent == \IfConfigClauseSyntax.condition { return true }
            node = ancestor.parent
        }
        return false
    }

    /// Whether it is in an attribute, which it doesn't begin, or in the parentheses of a modifier or a function.
    var isInsideAttribute: Bool {
        var node = parent
        while let ancestor = node {
            if let attribute = ancestor.as(AttributeSyntax.self) { return id != attribute.atSign.id }
            if ancestor.is(DeclModifierDetailSyntax.self) || ancestor.is(FunctionParameterSyntax.self) { return true }
            // No attribute of a declaration is farther away than the innermost member.
            if ancestor.is(MemberBlockItemSyntax.self) { return false }
            node = ancestor.parent
        }
        return false
    }
}
