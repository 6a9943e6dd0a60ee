extension DeclarationParser {
    mutating func parseProperty(isVariable: Bool, keyword: Int, _ prefix: Prefix) {
        let isTuple = token.kind == .leftParenthesis
        guard isTuple || isAtName else { return }
        let nameToken = token
        let name = isTuple ? skipGroup() : self.name(token)
        if !isTuple { advance() }
        guard frame.kind != .code else {
            let kind: UnsuitableDeclaration = isTuple ? .tuplePattern : .localVariable(name: name)
            addItem(.other(kind), prefix, keyword: keyword, name: nameToken.start)
            return
        }
        var declaration = PropertyDeclaration(
            name: name,
            type: nil,
            isVariable: isVariable,
            location: source.location(of: nameToken.start)
        )
        declaration.access = prefix.access
        declaration.setterAccess = prefix.setterAccess
        declaration.isLazy = prefix.modifiers.contains("lazy")
        declaration.availability = prefix.availability
        declaration.conditions = Array(chains.dropFirst(frame.chainDepth))
        addItem(.other(.globalVariable(name: name)), prefix, keyword: keyword, name: nameToken.start)
        var property = PendingProperty(
            declaration: declaration,
            names: [name],
            isTuplePattern: isTuple,
            isStatic: prefix.isStatic
        )
        if token.kind == .colon {
            advance()
            let type = readType()
            property.declaration.type = type.isEmpty ? nil : type
        }
        frame.member = Member(item: items.count - 1, property: property)
        frame.isInMember = true
    }

    /// Ends the declaration that is being read in the innermost frame.
    mutating func closeMember() {
        guard let member = frame.member else { return }
        frame.member = nil
        frame.isInMember = false
        guard let property = member.property else { return }
        items[member.item].end = previous?.end ?? items[member.item].end
        guard case .type(let type) = frame.kind else { return }
        for name in property.names {
            addMember(name, isStatic: property.isStatic, at: property.declaration.location)
        }
        if property.names == ["id"], !property.isStatic { file.types[type].identifierType = property.declaration.type }
        items[member.item].kind = kind(of: property, in: type)
        if case .property = items[member.item].kind { file.types[type].properties.append(property.declaration) }
    }

    private mutating func kind(of property: PendingProperty, in type: Int) -> Item.Kind {
        let name = property.declaration.name
        if property.isTuplePattern { return .other(.tuplePattern) }
        if property.names.count > 1 { return .other(.severalBindings(names: property.names)) }
        if file.types[type].kind == .protocol { return .other(.protocolRequirement(name: name)) }
        if property.isStatic { return .other(.staticProperty(name: name)) }
        if property.isComputed { return .other(.computedProperty(name: name)) }
        return .property(type: type, property: file.types[type].properties.count)
    }
}
