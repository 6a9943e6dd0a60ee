extension DeclarationParser {
    mutating func parseProperty(isVariable: Bool, keyword: Int, _ prefix: Prefix) {
        let isTuple = token.kind == .leftParenthesis
        guard isTuple || isAtName else { return }
        let nameToken = token
        let names = readPattern()
        let name = isTuple ? "(" + names.joined(separator: ", ") + ")" : names[0]
        guard frames[frames.count - 1].kind != .code else {
            let kind: UnsuitableDeclaration = isTuple ? .tuplePattern : .localVariable(name: name)
            addItem(.other(kind), prefix, keyword: keyword, name: nameToken.range.lowerBound)
            return
        }
        var declaration = PropertyDeclaration(
            name: name,
            type: nil,
            isVariable: isVariable,
            location: source.location(of: nameToken.range.lowerBound)
        )
        declaration.access = prefix.access
        declaration.setterAccess = prefix.setterAccess
        declaration.isLazy = prefix.modifiers.contains("lazy")
        declaration.availability = prefix.availability
        declaration.conditions = Array(chains.dropFirst(frames[frames.count - 1].chainDepth))
        addItem(.other(.globalVariable(name: name)), prefix, keyword: keyword, name: nameToken.range.lowerBound)
        var property = PendingProperty(
            declaration: declaration,
            names: names,
            isTuplePattern: isTuple,
            isStatic: prefix.isStatic
        )
        if token.kind == .colon {
            advance()
            let type = readType()
            property.declaration.type = type.isEmpty ? nil : type
        }
        frames[frames.count - 1].member = Member(item: items.count - 1, property: property)
    }

    /// Reads a name, or a pattern in parentheses.
    ///
    /// - Returns: The names that are bound, of which a pattern may have none.
    mutating func readPattern() -> [String] {
        guard token.kind == .leftParenthesis else {
            defer { advance() }
            return [name(token)]
        }
        var names: [String] = []
        var nesting = GroupNesting()
        while !nesting.isClosed, token.kind != .endOfFile, !breaksGroup(token) {
            nesting.pass(token)
            // What stands before a colon is a label.
            if token.kind == .colon { names = names.dropLast() }
            if isAtName, text(token) != "_" { names.append(name(token)) }
            advance()
        }
        return names
    }

    /// Ends the declaration that is being read in the innermost frame.
    mutating func closeMember() {
        let frame = frames.count - 1
        guard let member = frames[frame].member else { return }
        frames[frame].member = nil
        guard let property = member.property else { return }
        items[member.item].end = previous?.range.upperBound ?? items[member.item].end
        guard case .type(let type) = frames[frame].kind else { return }
        for name in property.names {
            addMember(name, isStatic: property.isStatic, at: property.declaration.location)
        }
        if property.names == ["id"], !property.isStatic {
            file.types[type].identifierType = property.declaration.type ?? initializedType(of: property)
        }
        items[member.item].kind = kind(of: property, in: type)
        if case .property = items[member.item].kind { file.types[type].properties.append(property.declaration) }
    }

    /// The type that an initial value tells without knowledge of what it calls: that of `"a"`, `1` and `UUID()`.
    private func initializedType(of property: PendingProperty) -> String? {
        guard let start = property.initialValue, let end = previous?.range.upperBound, start < end else { return nil }
        let value = source.text(start..<end)
        if value.utf8.allSatisfy(Byte.isDigit) { return "Int" }
        if value.first == "\"", value.dropFirst().firstIndex(of: "\"") == value.indices.last { return "String" }
        let name = value.dropLast(2)
        let isType = name.first?.isUppercase == true && name.utf8.allSatisfy { Byte.isIdentifierBody($0) || $0 == 0x2E }
        return isType && value.hasSuffix("()") ? String(name) : nil
    }

    private func kind(of property: PendingProperty, in type: Int) -> Item.Kind {
        let name = property.declaration.name
        if property.isTuplePattern { return .other(.tuplePattern) }
        if property.hasSeveralBindings { return .other(.severalBindings(names: property.names)) }
        if file.types[type].kind == .protocol { return .other(.protocolRequirement(name: name)) }
        if property.isStatic { return .other(.staticProperty(name: name)) }
        if property.isComputed { return .other(.computedProperty(name: name)) }
        return .property(type: type, property: file.types[type].properties.count)
    }
}
