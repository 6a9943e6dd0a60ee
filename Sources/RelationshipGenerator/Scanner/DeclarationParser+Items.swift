extension DeclarationParser {
    /// The attributes and modifiers of a declaration.
    struct Prefix {
        var start: Int
        var attributes: [String] = []
        var availability: [String] = []
        var modifiers: [String] = []
        var access: AccessLevel?
        var setterAccess: AccessLevel?
        var isStatic = false
    }

    /// Reads a declaration up to where its body or initial value begins, or goes over one token.
    mutating func parseItem() {
        let start = token.range.lowerBound
        var prefix = conditionalPrefix ?? Prefix(start: start)
        conditionalPrefix = nil
        var word = readPrefix(&prefix)
        if word == "class" {
            let keyword = token
            advance()
            // `class func` is a modifier, `class Post` a type.
            guard token.kind == .identifier, Keyword.beginsDeclaration(text(token)) else {
                parseType(.class, keyword: keyword.range.lowerBound, prefix)
                return
            }
            prefix.isStatic = true
            word = readPrefix(&prefix)
        }
        let isLocal = frames[frames.count - 1].kind == .code
        guard let word, (isLocal ? Keyword.localIntroducers : Keyword.introducers).contains(word) else {
            // Not a declaration. What stood before it may have been its first words, and the token opens something.
            if token.range.lowerBound == start {
                consume()
            } else if isConditionalDirective(token) {
                keep(prefix, from: start)
            }
            return
        }
        let keyword = token.range.lowerBound
        advance()
        switch word {
        case "import": parseImport(prefix)
        case "var", "let": parseProperty(isVariable: word == "var", keyword: keyword, prefix)
        case "func", "init", "deinit", "subscript", "macro": parseFunction(word, keyword: keyword, prefix)
        case "case": parseCase(keyword: keyword, prefix)
        case "operator", "precedencegroup", "associatedtype": parseOther(word, keyword: keyword, prefix)
        case "typealias": parseTypeAlias(keyword: keyword, prefix)
        default:
            guard let kind = TypeDeclaration.Kind(rawValue: word) else { return }
            parseType(kind, keyword: keyword, prefix)
        }
    }

    /// Keeps attributes in an `#if` chain for the declaration behind it.
    private mutating func keep(_ prefix: Prefix, from start: Int) {
        conditionalPrefix = prefix
        guard text(token) != "#if" else { return }
        // The chain is a part of the declaration, which begins with it unless something stands before.
        if prefix.start == start { conditionalPrefix?.start = directiveStart }
        if items.last?.keyword == directiveStart { items.removeLast() }
    }

    /// Reads attributes and modifiers.
    ///
    /// - Returns: The word behind them, at which the parser stands, or `nil` when there is none.
    private mutating func readPrefix(_ prefix: inout Prefix) -> String? {
        while true {
            if token.kind == .at {
                let attribute = readAttribute()
                prefix.attributes.append(attribute)
                if attribute.hasPrefix("@available") { prefix.availability.append(attribute) }
                continue
            }
            guard token.kind == .identifier else { return nil }
            let word = text(token)
            guard Keyword.modifiers.contains(word) else { return word }
            advance()
            var isForSetter = false
            if token.kind == .leftParenthesis, Keyword.modifiersWithArgument.contains(word) {
                isForSetter = skipGroup() == "(set)"
            }
            prefix.modifiers.append(word)
            if word == "static" { prefix.isStatic = true }
            guard let access = AccessLevel(rawValue: word) else { continue }
            if isForSetter { prefix.setterAccess = access } else { prefix.access = access }
        }
    }

    /// Reads an attribute with its arguments.
    ///
    /// - Returns: The attribute as written, white space normalised.
    mutating func readAttribute() -> String {
        let line = source.line(of: token.range.lowerBound)
        var result = "@"
        advance()
        while isAtName {
            result += text(token)
            advance()
            guard token.kind == .period else { break }
            result += "."
            advance()
        }
        if token.kind == .operator, source[token.range.lowerBound] == UInt8(ascii: "<"), !token.hasSpaceBefore {
            result += readAngles()
        }
        if token.kind == .leftParenthesis, source.line(of: token.range.lowerBound) == line { result += skipGroup() }
        return result
    }

    private mutating func parseImport(_ prefix: Prefix) {
        let location = source.location(of: prefix.start)
        var words = prefix.attributes + prefix.modifiers + ["import"]
        if token.kind == .identifier,
            ["struct", "class", "enum", "protocol", "typealias", "func", "var", "let"].contains(text(token)),
            !token.isFirstOnLine
        {
            words.append(text(token))
            advance()
        }
        guard isAtName else { return }
        let module = text(token)
        var path = module
        advance()
        while token.kind == .period {
            advance()
            path += "." + text(token)
            advance()
        }
        words.append(path)
        file.imports.append(
            ImportDeclaration(
                text: words.joined(separator: " "),
                module: module,
                access: prefix.access,
                conditions: chains,
                location: location
            )
        )
    }

    private mutating func parseFunction(_ word: String, keyword: Int, _ prefix: Prefix) {
        var name = word
        var nameOffset = keyword
        if word == "func" || word == "macro" {
            guard token.kind != .leftBrace, token.kind != .endOfFile else { return }
            name = self.name(token)
            nameOffset = token.range.lowerBound
            advance()
        }
        let item = UnsuitableDeclaration.declaration(keyword: word, name: word == name ? "" : name)
        addItem(.other(item), prefix, keyword: keyword, name: nameOffset)
        if token.kind == .operator, source[token.range.lowerBound] == UInt8(ascii: "<") { _ = readAngles() }
        if token.kind == .leftParenthesis {
            let labels = readLabels()
            if word == "func" {
                let fullName = labels.isEmpty ? name + "()" : name + "(" + labels.map { $0 + ":" }.joined() + ")"
                addMember(fullName, isStatic: prefix.isStatic, at: source.location(of: nameOffset))
            }
        }
        continueInFrame()
    }

    private mutating func parseCase(keyword: Int, _ prefix: Prefix) {
        guard isAtName else { return }
        addItem(.other(.enumCase(name: name(token))), prefix, keyword: keyword, name: token.range.lowerBound)
        while isAtName {
            addMember(name(token), isStatic: true, at: source.location(of: token.range.lowerBound))
            advance()
            if token.kind == .leftParenthesis { _ = skipGroup() }
            if token.kind == .equals {
                advance()
                if token.kind == .operator { advance() }
                advance()
            }
            guard token.kind == .comma else { break }
            advance()
        }
        continueInFrame()
    }

    private mutating func parseOther(_ word: String, keyword: Int, _ prefix: Prefix) {
        addItem(
            .other(.declaration(keyword: word, name: name(token))),
            prefix,
            keyword: keyword,
            name: token.range.lowerBound
        )
        advance()
        continueInFrame()
    }

    /// Lets the rest of the declaration that was added last be skipped, unless it is in a body of code.
    private mutating func continueInFrame() {
        items[items.count - 1].end = previous?.range.upperBound ?? items[items.count - 1].end
        guard frames[frames.count - 1].kind != .code else { return }
        frames[frames.count - 1].member = Member(item: items.count - 1, property: nil)
    }

    mutating func addItem(_ kind: Item.Kind, _ prefix: Prefix, keyword: Int, name: Int) {
        let end = previous?.range.upperBound ?? keyword
        items.append(Item(kind: kind, start: prefix.start, keyword: keyword, name: name, end: end))
    }

    mutating func addMember(_ name: String, isStatic: Bool, at location: SourceLocation) {
        guard case .type(let type) = frames[frames.count - 1].kind else { return }
        file.types[type].memberNames.append(MemberName(name: name, isStatic: isStatic, location: location))
    }
}
