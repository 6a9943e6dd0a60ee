import SwiftSyntax

/// What comments stand on.
extension SyntaxFacts {
    struct WaitingComment {
        var offset: Int
        var isFollowedByBlankLine = false
    }

    func readTrivia(_ trivia: Trivia, from start: Int) {
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

    /// Behind something: the innermost declaration counts that the token before is in or ends, if that is a property that has
    /// its name, its end or the semicolon behind it on this line.
    private func trailingAttachment(of offset: Int) -> String {
        let line = lines.line(of: offset)
        let candidates = lastToken?.declarations.filter {
            lines.line(of: $0.name) == line || lines.line(of: $0.end - 1) == line
                || $0.end == lastToken?.endBefore
        }
        guard let innermost = candidates?.last, innermost.isProperty else { return "elsewhere" }
        return innermost.description
    }

    /// Above something: the innermost declaration counts among whose attributes and modifiers the next token is.
    func attachment(of comment: WaitingComment, before token: TokenSyntax) -> String {
        if comment.isFollowedByBlankLine { return "blankLine" }
        switch token.tokenKind {
        case .endOfFile: return "endOfFile"
        case .rightBrace, .rightParen, .rightSquare, .poundElse, .poundElseif, .poundEndif: return "endOfScope"
        default: break
        }
        // What is inside of an attribute or in the parentheses of a modifier is not among the attributes and modifiers.
        if token.isInsideAttribute { return "elsewhere" }
        let offset = token.positionAfterSkippingLeadingTrivia.utf8Offset
        guard let innermost = declarations.last(where: { offset <= $0.keyword }) else { return "elsewhere" }
        return innermost.description
    }
}
