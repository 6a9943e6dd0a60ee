extension DeclarationParser {
    mutating func parseType(_ kind: TypeDeclaration.Kind, keyword: Int, _ prefix: Prefix) {
        guard isAtName else { return }
        let nameOffset = token.start
        var name = text(token)
        advance()
        while kind == .extension, token.kind == .period {
            advance()
            name += "." + text(token)
            advance()
        }
        var type = makeType(kind, name, at: nameOffset, prefix)
        if token.kind == .operator, source[token.start] == UInt8(ascii: "<") {
            type.genericParameters = readAngles()
        }
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
        enterFrame(.type(file.types.count - 1))
    }

    mutating func parseTypeAlias(keyword: Int, _ prefix: Prefix) {
        guard isAtName else { return }
        let nameOffset = token.start
        let name = text(token)
        advance()
        var type = makeType(.typealias, name, at: nameOffset, prefix)
        if token.kind == .operator, source[token.start] == UInt8(ascii: "<") {
            type.genericParameters = readAngles()
        }
        if token.kind == .equals {
            advance()
            type.aliasedType = readType()
        }
        add(type, item: .declaration(keyword: "typealias", name: name), keyword: keyword, prefix)
    }

    private mutating func makeType(
        _ kind: TypeDeclaration.Kind,
        _ name: String,
        at offset: Int,
        _ prefix: Prefix
    ) -> TypeDeclaration {
        let parent = frame.type
        let qualifiedName = parent.map { file.types[$0].qualifiedName + "." + name } ?? name
        var type = TypeDeclaration(
            kind: kind,
            name: name,
            qualifiedName: qualifiedName,
            location: source.location(of: offset)
        )
        type.access = prefix.access
        type.availability = prefix.availability
        type.parent = parent
        type.isLocal = frame.isLocal
        type.conditions = chains
        return type
    }

    private mutating func add(
        _ type: TypeDeclaration,
        item: UnsuitableDeclaration,
        keyword: Int,
        _ prefix: Prefix
    ) {
        if type.kind != .extension { addMember(type.name, isStatic: true, at: type.location) }
        file.types.append(type)
        addItem(.other(item), prefix, keyword: keyword, name: type.location.offset)
    }

}
