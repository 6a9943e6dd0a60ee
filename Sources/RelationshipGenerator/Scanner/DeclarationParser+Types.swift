extension DeclarationParser {
    mutating func parseType(_ kind: TypeDeclaration.Kind, keyword: Int, _ prefix: Prefix) {
        let nameOffset = token.start
        var parameters = ""
        var name = ""
        if kind == .extension {
            name = readExtendedType(&parameters)
        } else if isAtName {
            name = text(token)
            advance()
            if isAtAngle { parameters = readAngles() }
        }
        guard !name.isEmpty else { return }
        let type = makeType(kind, name, at: nameOffset, prefix)
        type.genericParameters = parameters
        if token.kind == .colon {
            advance()
            type.inheritedTypes = readInheritedTypes()
        }
        if token.isWord(.where) {
            advance()
            type.genericWhereClause = readTokens { $1.kind == .leftBrace }
        }
        add(type, item: .declaration(keyword: kind.rawValue, name: name), keyword: keyword, prefix)
        guard token.kind == .leftBrace else { return }
        items[items.count - 1].end = token.end
        advance()
        enterFrame(.type(file.types.count - 1), bodyOf: prefix.start)
        frame.isProtocol = kind == .protocol
        frame.isEnum = kind == .enum
        frame.hasCodingKeys = kind == .enum && Self.isOfCodingKeys(type)
    }

    /// Reads the type that an extension extends.
    ///
    /// - Parameter arguments: The generic arguments, which don't belong to the name.
    /// - Returns: The name, or a text in its place, such as `[Int]`; empty when there is none.
    private mutating func readExtendedType(_ arguments: inout String) -> String {
        var name = ""
        while true {
            if token.kind == .leftBracket || token.kind == .leftParenthesis {
                name += skipGroup()
            } else if isAtName, !token.isWord(.where) {
                name += text(token)
                advance()
                // A type such as `any P`.
                if isAtName, !token.isWord(.where) {
                    name += " "
                    continue
                }
            } else {
                return name
            }
            if isAtAngle { arguments += readAngles() }
            while token.kind == .operator, !token.hasSpaceBefore {
                name += text(token)
                advance()
            }
            guard token.kind == .period || token.kind == .moduleSelector else { return name }
            name += text(token)
            advance()
        }
    }

    var isAtAngle: Bool {
        mutating get { token.kind == .operator && source.bytes[token.start] == UInt8(ascii: "<") }
    }

    mutating func parseTypeAlias(keyword: Int, _ prefix: Prefix) {
        guard isAtName else { return }
        let nameOffset = token.start
        let name = text(token)
        advance()
        let type = makeType(.typealias, name, at: nameOffset, prefix)
        if isAtAngle { type.genericParameters = readAngles() }
        if token.kind == .equals {
            advance()
            type.aliasedType = readType()
        }
        add(type, item: .declaration(keyword: "typealias", name: name), keyword: keyword, prefix)
    }

    private static func isOfCodingKeys(_ type: TypeDeclaration) -> Bool {
        type.name == "CodingKeys" || type.inheritedTypes.contains { $0 == "CodingKey" || $0 == "Swift.CodingKey" }
    }

    private mutating func makeType(
        _ kind: TypeDeclaration.Kind,
        _ name: String,
        at offset: Int,
        _ prefix: Prefix
    ) -> TypeDeclaration {
        let parent = frame.type
        let level = parent.map { file.types[$0].level + 1 } ?? 1
        // Deeper types are an error, and their qualified names would take much memory.
        let isQualified = level <= TypeDeclaration.greatestLevel
        let qualifiedName = parent.map { isQualified ? file.types[$0].qualifiedName + "." + name : name } ?? name
        let type = TypeDeclaration(
            kind: kind,
            name: name,
            qualifiedName: qualifiedName,
            location: source.location(of: offset)
        )
        type.access = prefix.access
        type.availability = prefix.availability
        type.attributes = prefix.attributes
        type.isNonisolated = prefix.modifiers.contains(Word.nonisolated.rawValue)
        type.parent = parent
        type.level = level
        type.isLocal = frame.isLocal
        type.enclosing = enclosingBranches()
        return type
    }

    private mutating func add(
        _ type: TypeDeclaration,
        item: Annotation.UnsuitableDeclaration,
        keyword: Int,
        _ prefix: Prefix
    ) {
        if type.kind != .extension { addMember(type.name, isStatic: true, at: type.location) }
        file.types.append(type)
        addItem(.other(item), prefix, keyword: keyword, name: type.location.offset)
    }

}

extension DeclarationParser {
    /// Reads a generic parameter or argument list from the opening angle on.
    ///
    /// - Parameter opened: The number of angles that have been read already.
    mutating func readAngles(opened: Int = 0) -> String {
        var depth = opened
        var isClosed = false
        return readTokens { parser, token in
            if isClosed || token.kind == .leftBrace { return true }
            if parser.breaksGroup(token), !parser.isAtValueParameter { return true }
            if token.kind == .operator {
                parser.splitOffAssignment()
                depth += parser.angleDepth(of: parser.token)
            }
            isClosed = depth <= 0
            return false
        }
    }

    /// Whether the word `let` of an integer generic parameter is here: `<let count: Int>`.
    private var isAtValueParameter: Bool {
        mutating get {
            guard token.isWord(.let), let previous else { return false }
            return previous.kind == .comma || previous.kind == .operator
        }
    }

    /// The number of angles that an operator token opens minus the number it closes.
    ///
    /// Generic lists can end in `>>` or `>?`.
    mutating func angleDepth(of token: Token) -> Int {
        var depth = 0
        var offset = token.start
        while offset < token.end {
            if source.bytes[offset] == 0x3C { depth += 1 }
            if source.bytes[offset] == 0x3E { depth -= 1 }
            offset += 1
        }
        return depth
    }

    /// Whether an operator token only closes angles and marks the type before it as optional.
    mutating func closesAngles(_ token: Token) -> Bool {
        guard source.bytes[token.start] == UInt8(ascii: ">") else { return false }
        for offset in token.range {
            switch source.bytes[offset] {
            case UInt8(ascii: ">"), UInt8(ascii: "?"), UInt8(ascii: "!"): continue
            default: return false
            }
        }
        return true
    }

    /// Reads the types after the colon of a declaration.
    mutating func readInheritedTypes() -> [String] {
        var types: [String] = []
        while true {
            types.append(readType())
            guard token.kind == .comma else { break }
            advance()
        }
        return types.filter { !$0.isEmpty }
    }

    /// Reads a type with normalised white space; the result is empty when there is no type here.
    mutating func readType() -> String {
        var depth = 0
        var angles = 0
        var attribute = TypeAttribute.none
        return readTokens { parser, token in
            // An attribute needs a type after it.
            let isDue = attribute != .none
            if depth == 0, angles <= 0 { attribute.pass(token) }
            // A parenthesis, bracket or angle is not closed.
            if depth > 0 || angles > 0, parser.breaksGroup(token) { return true }
            switch token.kind {
            case .leftParenthesis, .leftBracket:
                if depth == 0, angles == 0, parser.endsType(token, isDue: isDue) { return true }
                depth += 1
            case .rightParenthesis, .rightBracket:
                if depth == 0 { return true }
                depth -= 1
            case .operator:
                parser.splitOffAssignment()
                angles += parser.angleDepth(of: parser.token)
            case .leftBrace, .rightBrace, .semicolon, .equals:
                return true
            case .comma:
                return depth == 0 && angles <= 0
            case .identifier:
                if depth == 0 && angles <= 0 && (token.isWord(.where) || parser.endsType(token, isDue: isDue)) {
                    return true
                }
            default:
                return depth == 0 && angles <= 0 && parser.endsType(token, isDue: isDue)
            }
            return false
        }
    }

    /// Whether a token begins a line that doesn't continue the type.
    ///
    /// - Parameter isDue: Whether an attribute of the type precedes the token.
    private mutating func endsType(_ token: Token, isDue: Bool) -> Bool {
        guard token.isFirstOnLine else { return false }
        if isDue || isTypeContinued { return beginsOtherDeclaration }
        if token.kind == .identifier { return !token.word.isEffect }
        return token.kind != .period && token.kind != .moduleSelector && token.kind != .arrow
    }

    /// Whether a type continues after the previous token.
    private var isTypeContinued: Bool {
        mutating get {
            guard let previous else { return false }
            switch previous.kind {
            case .equals, .comma, .colon, .period, .moduleSelector, .arrow: return true
            case .operator:
                return source.bytes[previous.end - 1] == UInt8(ascii: "&")
                    || source.bytes[previous.end - 1] == UInt8(ascii: "~")
            case .identifier: return previous.word.isContinuedByType
            default: return false
            }
        }
    }
}

/// The part of a type's attribute, such as `@unchecked`, that the last tokens belong to.
private enum TypeAttribute {
    case none, sign, name

    /// Updates the state for a token outside of parentheses, brackets and angles.
    mutating func pass(_ token: Token) {
        switch (self, token.kind) {
        case (_, .at), (.name, .period), (.name, .moduleSelector): self = .sign
        case (.sign, .identifier), (.sign, .rawIdentifier): self = .name
        // The arguments of the attribute. Only their opening token gets here.
        case (.name, .leftParenthesis) where !token.isFirstOnLine && !token.hasSpaceBefore: break
        case (.name, .operator): break
        default: self = .none
        }
    }
}
