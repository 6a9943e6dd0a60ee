extension DeclarationParser {
    mutating func parseProperty(isVariable: Bool, keyword: Int, _ prefix: Prefix) {
        let isTuple = token.kind == .leftParenthesis
        guard isTuple || isAtName else { return }
        let nameToken = token
        let names = isTuple ? readPattern() : []
        let name = isTuple ? "(" + names.map(\.name).joined(separator: ", ") + ")" : readName()
        let bindsOne = !isTuple && name != "_"
        guard frame.kind != .code else {
            addItem(.other(.localVariable(name: name)), prefix, keyword: keyword, name: nameToken.start)
            return
        }
        let declaration = PropertyDeclaration(
            name: name,
            type: nil,
            isVariable: isVariable,
            location: source.location(of: nameToken.start)
        )
        declaration.access = prefix.access
        declaration.setterAccess = prefix.setterAccess
        declaration.isLazy = prefix.isLazy
        declaration.availability = prefix.availability
        declaration.attributes = prefix.attributes
        if chains.count > frame.chainDepth { declaration.enclosing = enclosingBranches(from: frame.chainDepth) }
        addItem(.other(.globalVariable(name: name)), prefix, keyword: keyword, name: nameToken.start)
        let property = PendingProperty(
            declaration,
            otherBindings: names,
            isTuplePattern: !bindsOne,
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

    private mutating func readName() -> String {
        let name = name(token)
        advance()
        return name
    }

    /// Reads a pattern in parentheses.
    ///
    /// - Returns: The names that the pattern binds; may be empty.
    @_optimize(none)
    mutating func readPattern() -> [Binding] {
        var names: [Binding] = []
        var nesting = GroupNesting()
        while !nesting.isClosed, token.kind != .endOfFile, !breaksGroup(token) {
            nesting.pass(token)
            // A word before a colon is a label.
            if token.kind == .colon { names = names.dropLast() }
            if isAtName, text(token) != "_" { names.append(Binding(name: name(token), offset: token.start)) }
            advance()
        }
        return names
    }

    /// The open angles in an initial value, where `<` can be an operator.
    ///
    /// The text after a comma is read as another binding until the angle closes. If it does, the text was a generic
    /// argument.
    struct OpenAngles {
        var depth = 0
        /// The state before the first comma.
        var before: (names: [Binding], hasSeveralBindings: Bool)?
    }

    /// Saves the state of the bindings before a comma that may separate generic arguments.
    mutating func rememberBindings() {
        guard let property = frame.member?.property, property.angles.depth > 0, property.angles.before == nil else {
            return
        }
        property.angles.before = (property.otherBindings, property.hasSeveralBindings)
    }

    /// Counts the angles of an operator in an initial value.
    mutating func countAngles() {
        guard let property = frame.member?.property else { return }
        let opens = !token.hasSpaceBefore && source.bytes[token.start] == UInt8(ascii: "<") && property.hasInitializer
        let depth = angleDepth(of: token)
        guard opens || (property.angles.depth > 0 && depth < 0) else { return }
        property.angles.depth += depth
        if property.angles.depth <= 0 {
            if let before = property.angles.before {
                (property.otherBindings, property.hasSeveralBindings) = before
                property.hasInitializer = true
            }
            property.angles = OpenAngles()
        }
    }

    /// Determines whether the braces after a property, whose frame is the second to last, contain observers.
    ///
    /// A property with observers is stored. A property with any other accessor is computed.
    mutating func readFirstAccessor() {
        var prefix = Prefix(start: token.start)
        while token.kind == .at { prefix.attributes.append(readAttribute()) }
        if token.isWord(.willSet) || token.isWord(.didSet) { return }
        outerFrames[outerFrames.count - 1].member?.property?.isComputed = true
        // The words may belong to a local declaration in a getter.
        if !prefix.attributes.isEmpty { pendingPrefix = prefix }
    }

    /// The name that the body at the current brace returns, or `nil` if it does anything else.
    ///
    /// The body is `{ name }`, `{ return name }`, `{ self.name }`, or one of these after `get`.
    mutating func returnedName() -> String? {
        let next = upcoming(8)
        var index = 0
        if isAt("get", next[0]) {
            guard next[1].kind == .leftBrace else { return nil }
            index = 2
        } else if isAt("set", next[0]) || isAt("_read", next[0]) || isAt("_modify", next[0]) {
            // A body can begin with the name of another accessor.
            return nil
        }
        let isGetter = index > 0
        if next[index].isWord(.return) { index += 1 }
        if next[index].isWord(.self) {
            guard next[index + 1].kind == .period else { return nil }
            index += 2
        }
        let returned = next[index]
        if returned.kind != .rawIdentifier {
            let isReserved =
                returned.word.isReserved || returned.isFirstOnLine && returned.word.beginsDeclarationAnywhere
            guard returned.kind == .identifier, !isReserved else { return nil }
            if returned.isWord(.self) || isAt("_", returned) { return nil }
        }
        guard next[index + 1].kind == .rightBrace, !isGetter || next[index + 2].kind == .rightBrace else { return nil }
        return name(returned)
    }

    private func isAt(_ word: String, _ token: Token) -> Bool {
        token.kind == .identifier && source.text(token.range) == word
    }

    /// Whether there is an init accessor here.
    ///
    /// A property with one has a value.
    var isAtInitAccessor: Bool {
        mutating get {
            token.isWord(.`init`) || (token.kind == .at && source.starts(with: "storageRestrictions", at: token.end))
        }
    }

    /// Reads another name of a declaration such as `let a: Int, b: Int`.
    @_optimize(none)
    mutating func readNextBinding() {
        guard isAtName || token.kind == .leftParenthesis else { return }
        let offset = token.start
        var bindings =
            token.kind == .leftParenthesis ? readPattern() : [Binding(name: readName(), offset: offset)]
        if token.kind == .colon {
            advance()
            let type = readType()
            // The types of the names in a pattern are not needed.
            if bindings.count == 1, !type.isEmpty { bindings[0].type = type }
        }
        guard let property = frame.member?.property else { return }
        property.otherBindings += bindings
        property.hasSeveralBindings = true
        property.hasInitializer = false
    }

    /// Ends the declaration that is being read in the innermost frame.
    mutating func closeMember() {
        guard let member = frame.member else { return }
        frame.member = nil
        frame.isInMember = false
        guard let property = member.property else {
            if token.kind == .semicolon, case .enumCase = items[member.item].kind {
                items[member.item].semicolon = token.start
            }
            return
        }
        items[member.item].end = previous?.end ?? items[member.item].end
        if token.kind == .semicolon { items[member.item].semicolon = token.start }
        guard case .type(let type) = frame.kind else { return }
        let location = property.declaration.location
        if !property.isTuplePattern {
            addMember(property.declaration.name, isStatic: property.isStatic, at: location)
        }
        if !property.otherBindings.isEmpty {
            for binding in property.otherBindings { addMember(binding.name, isStatic: property.isStatic, at: location) }
        }
        if property.declaration.name == "id", property.otherBindings.isEmpty, !property.isStatic {
            file.types[type].identifierType = property.declaration.type ?? initializedType(of: property)
        }
        let kind = kind(of: property, in: type)
        items[member.item].kind = kind
        if property.isComputed, property.declaration.name == "id", !property.isStatic, !frame.isProtocol {
            file.types[type].identifierSources.append(property.returnedName)
        }
        guard case .property = kind else {
            if !property.otherBindings.isEmpty { addJointProperties(property, to: type) }
            return
        }
        if property.declaration.type == nil {
            property.declaration.inferredType = initializedType(of: property)
        }
        file.types[type].properties.append(property.declaration)
        frame.propertyCount += 1
    }

    /// Adds the stored properties of a declaration with several names.
    @_optimize(none)
    private mutating func addJointProperties(_ property: PendingProperty, to type: Int) {
        guard !property.isStatic, !property.isComputed, !frame.isProtocol else { return }
        var properties = property.isTuplePattern ? [] : [property.declaration]
        for binding in property.otherBindings {
            let location = source.location(of: binding.offset)
            let declaration = property.declaration.sibling(named: binding.name, type: binding.type, location: location)
            declaration.hasInitialValue = binding.hasInitialValue
            properties.append(declaration)
        }
        // In `let a, b: Int`, the type belongs to both.
        for index in properties.indices.dropLast().reversed()
        where properties[index].type == nil && !properties[index].hasInitialValue {
            properties[index].type = properties[index + 1].type
        }
        file.types[type].jointProperties += properties
    }

    /// The type that an initial value shows by itself: the type of `"a"`, `1`, `1.5`, `true` or `UUID()`.
    private mutating func initializedType(of property: PendingProperty) -> String? {
        guard let start = property.initialValue, let end = previous?.end, start < end else { return nil }
        let value = source.text(start..<end)
        if value.utf8.allSatisfy(Byte.isDigit) { return "Int" }
        if value == "true" || value == "false" { return "Bool" }
        if value.utf8.allSatisfy({ Byte.isDigit($0) || $0 == 0x2E }), value.utf8.count(where: { $0 == 0x2E }) == 1 {
            return "Double"
        }
        if value.first == "\"", value.dropFirst().firstIndex(of: "\"") == value.indices.last { return "String" }
        let name = value.dropLast(2)
        let isType = name.first?.isUppercase == true && name.utf8.allSatisfy { Byte.isIdentifierBody($0) || $0 == 0x2E }
        return isType && value.hasSuffix("()") ? String(name) : nil
    }

    private mutating func kind(of property: PendingProperty, in type: Int) -> Item.Kind {
        let name = property.declaration.name
        if property.isTuplePattern { return .other(.tuplePattern) }
        if property.hasSeveralBindings {
            return .other(.severalBindings(names: [name] + property.otherBindings.map(\.name)))
        }
        if frame.isProtocol { return .other(.protocolRequirement(name: name)) }
        if property.isStatic { return .other(.staticProperty(name: name)) }
        if property.isComputed { return .other(.computedProperty(name: name)) }
        return .property(type: type, property: frame.propertyCount)
    }
}

extension DeclarationParser.PendingProperty {
    /// Notes the `=` after the name or type that was read last.
    func beginInitialValue() {
        hasInitializer = true
        angles = DeclarationParser.OpenAngles()
        if isTuplePattern || otherBindings.isEmpty { declaration.hasInitialValue = true }
        for index in otherBindings.indices where isTuplePattern || index == otherBindings.count - 1 {
            otherBindings[index].hasInitialValue = true
        }
    }
}
