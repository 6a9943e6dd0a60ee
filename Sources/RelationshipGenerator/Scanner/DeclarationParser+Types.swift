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
