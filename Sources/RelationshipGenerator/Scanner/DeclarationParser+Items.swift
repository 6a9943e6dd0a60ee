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
        var isLazy = false
    }

    /// Reads a declaration up to its body or initial value, or skips one token.
    mutating func parseItem() {
        let start = token.start
        var prefix = pendingPrefix ?? Prefix(start: start)
        pendingPrefix = nil
        let outerAttributes = prefix.attributes
        var word = readPrefix(&prefix)
        if word == .class {
            let keyword = token
            advance()
            // `class func` has a modifier, `class Post` is a type.
            guard token.word.beginsDeclaration else {
                parseType(.class, keyword: keyword.start, prefix)
                return
            }
            prefix.isStatic = true
            word = readPrefix(&prefix)
        }
        let isLocal = frame.kind == .code
        guard isLocal ? word.isLocalIntroducer : word.isIntroducer else {
            // This is no declaration. The words before it may have begun one, and the token may open a group or body.
            if token.start == start {
                consume()
            } else if token.kind == .pound, token.word != .other {
                keep(prefix, from: start, outerAttributes)
            }
            return
        }
        let keyword = token.start
        advance()
        switch word {
        case .import: parseImport(prefix)
        case .var, .let: parseProperty(isVariable: word == .var, keyword: keyword, prefix)
        case .func, .`init`, .deinit, .subscript, .macro: parseFunction(word, keyword: keyword, prefix)
        case .case: parseCase(keyword: keyword, prefix)
        case .operator: parseOperator(keyword: keyword, prefix)
        case .precedencegroup, .associatedtype: parseOther(word, keyword: keyword, prefix)
        case .typealias: parseTypeAlias(keyword: keyword, prefix)
        default:
            guard let kind = word.declaredKind else { return }
            // `actor` is an ordinary name, too, and may be the parameter of a closure.
            if kind == .actor, !isAtName || token.word.isReserved { return }
            parseType(kind, keyword: keyword, prefix)
        }
    }

    /// Saves the attributes of an `#if` chain for the next declaration.
    private mutating func keep(_ prefix: Prefix, from start: Int, _ outerAttributes: [String]) {
        pendingPrefix = prefix
        // Attributes without an `#if` before them belong to no chain.
        guard !token.isWord(.if), !chains.isEmpty else { return }
        // The declaration's own attributes are unconditional.
        pendingPrefix?.attributes = outerAttributes
        // The chain is a part of the declaration. The declaration begins with the chain, or with attributes before it.
        if prefix.start == start { pendingPrefix?.start = directiveStart }
        if items.last?.keyword == directiveStart { items.removeLast() }
    }

    /// Reads attributes and modifiers.
    ///
    /// - Returns: The word after them, which is the current token.
    private mutating func readPrefix(_ prefix: inout Prefix) -> Word {
        while true {
            if token.kind == .at {
                let attribute = readAttribute()
                prefix.attributes.append(attribute)
                if attribute.hasPrefix("@available") { prefix.availability.append(attribute) }
                continue
            }
            let word = token.word
            guard token.kind == .identifier, word.isModifier else { return word }
            let end = token.end
            advance()
            var isForSetter = false
            if token.kind == .leftParenthesis, word.isModifierWithArgument {
                isForSetter = skipGroup() == "(set)"
                noteInside(from: end)
            }
            prefix.modifiers.append(word.rawValue)
            if word == .static { prefix.isStatic = true }
            if word == .lazy { prefix.isLazy = true }
            guard let access = AccessLevel(rawValue: word.rawValue) else { continue }
            if isForSetter { prefix.setterAccess = access } else { prefix.access = access }
        }
    }

    /// Reads an attribute with its arguments.
    ///
    /// - Returns: The attribute as written, with normalised white space.
    mutating func readAttribute() -> String {
        let start = token.end
        var result = "@"
        advance()
        while isAtName {
            result += text(token)
            advance()
            if isAtAngle, !token.hasSpaceBefore { result += readAngles() }
            guard token.kind == .period || token.kind == .moduleSelector else { break }
            result += text(token)
            advance()
        }
        if token.kind == .leftParenthesis, !token.isFirstOnLine { result += skipGroup() }
        noteInside(from: start)
        return result
    }

    /// Records the range inside an attribute or a modifier that ends with the previous token.
    private mutating func noteInside(from start: Int) {
        guard let end = previous?.end, start < end else { return }
        insides.append(start..<end)
    }

    /// Whether the kind of an imported declaration is here: `struct` in `import struct Foundation.Data`.
    private var isAtImportedKind: Bool {
        mutating get {
            guard token.kind == .identifier, token.word.isReservedIntroducer else { return false }
            guard token.isFirstOnLine else { return true }
            // After an unfinished import, the word begins a declaration, which has no module in its name.
            guard token.word != .extension, token.word != .import else { return false }
            let second = upcoming(2)[1].kind
            return second == .period || second == .moduleSelector
        }
    }

    @_optimize(none)
    private mutating func parseImport(_ prefix: Prefix) {
        let location = source.location(of: prefix.start)
        var words = prefix.attributes + prefix.modifiers + ["import"]
        if isAtImportedKind {
            words.append(text(token))
            advance()
        }
        guard isAtName else { return }
        let module = text(token)
        var path = module
        advance()
        while token.kind == .period || token.kind == .moduleSelector {
            path += text(token)
            advance()
            path += text(token)
            advance()
        }
        words.append(path)
        file.imports.append(
            ImportDeclaration(
                text: words.joined(separator: " "),
                module: module,
                access: prefix.access,
                conditions: enclosingBranches()?.branches ?? [],
                location: location
            )
        )
    }

    private mutating func parseFunction(_ word: Word, keyword: Int, _ prefix: Prefix) {
        var name = word.rawValue
        var nameOffset = keyword
        if word == .func || word == .macro {
            guard isAtName || token.kind == .operator || token.kind == .equals else { return }
            name = self.name(token)
            nameOffset = token.start
            let isOperator = token.kind == .operator
            advance()
            // `func ==<T>(…)`: the lexer reads the angle as part of the operator.
            if isOperator, name.utf8.count > 1, name.utf8.last == UInt8(ascii: "<"), token.kind == .identifier {
                name.removeLast()
                _ = readAngles(opened: 1)
            }
        }
        let item = Annotation.UnsuitableDeclaration.declaration(
            keyword: word.rawValue,
            name: nameOffset == keyword ? "" : name
        )
        addItem(.other(item), prefix, keyword: keyword, name: nameOffset)
        if isAtAngle { _ = readAngles() }
        if token.kind == .leftParenthesis {
            let start = token.start
            let labels = readLabels()
            if word == .`init` { noteDecodingInitializer(labels, from: start) }
            if word == .func || word == .`init` {
                let fullName = labels.isEmpty ? name + "()" : name + "(" + labels.map { $0 + ":" }.joined() + ")"
                addMember(fullName, isStatic: prefix.isStatic, at: source.location(of: nameOffset))
            }
        }
        continueInFrame()
    }

    /// Notes an `init(from decoder: any Decoder)` in the innermost type.
    private mutating func noteDecodingInitializer(_ labels: [String], from start: Int) {
        guard case .type(let type) = frame.kind, labels.count == 1, labels[0] == "from", let end = previous?.end else {
            return
        }
        let words = source.text(start..<end).split { !($0.isLetter || $0.isNumber || $0 == "_") }
        if words.last == "Decoder" { file.types[type].hasDecodingInitializer = true }
    }

    private mutating func parseCase(keyword: Int, _ prefix: Prefix) {
        guard isAtName else { return }
        let first = token
        var names: [String] = []
        var associatedValues: String?
        let item = items.count
        addItem(.other(.enumCase(name: name(first))), prefix, keyword: keyword, name: first.start)
        while isAtName {
            let nameToken = token
            names.append(name(nameToken))
            addMember(name(nameToken), isStatic: true, at: source.location(of: nameToken.start))
            advance()
            if token.kind == .leftParenthesis {
                let values = skipGroup()
                associatedValues = associatedValues ?? values
            }
            var value: Token?
            if token.kind == .equals {
                advance()
                if token.kind == .operator { advance() }
                value = token
                advance()
            }
            if frame.hasCodingKeys { addCodingKey(nameToken, value) }
            guard token.kind == .comma else { break }
            advance()
        }
        if names.count > 1 {
            items[item].kind = .other(.severalCases(names: names))
        } else if let associatedValues {
            addCase(first, associatedValues, prefix, item: item)
        }
        continueInFrame()
    }

    /// Adds a case with associated values to the innermost enum.
    private mutating func addCase(_ name: Token, _ associatedValues: String, _ prefix: Prefix, item: Int) {
        guard frame.isEnum, case .type(let type) = frame.kind else { return }
        var declaration = CaseDeclaration(
            name: self.name(name),
            associatedValues: associatedValues,
            location: source.location(of: name.start)
        )
        declaration.isIndirect = prefix.modifiers.contains(Word.indirect.rawValue)
        declaration.availability = prefix.availability
        if chains.count > frame.chainDepth { declaration.enclosing = enclosingBranches(from: frame.chainDepth) }
        items[item].kind = .enumCase(type: type, index: frame.caseCount)
        file.types[type].cases.append(declaration)
        frame.caseCount += 1
    }

    private mutating func addCodingKey(_ name: Token, _ value: Token?) {
        guard case .type(let type) = frame.kind else { return }
        let rawValue: CodingKeyCase.RawValue =
            switch value?.kind {
            case nil: .none
            case .number: .number
            case .string: value.flatMap { StringLiteral.value(of: text($0)) }.map { .string($0) } ?? .unreadable
            default: .unreadable
            }
        var key = CodingKeyCase(
            name: self.name(name),
            rawValue: rawValue,
            location: source.location(of: name.start)
        )
        if chains.count > frame.chainDepth { key.enclosing = enclosingBranches(from: frame.chainDepth) }
        file.types[type].codingKeys.append(key)
    }

    /// Reads the declaration of an operator, the only one that can end in an operator.
    private mutating func parseOperator(keyword: Int, _ prefix: Prefix) {
        let item = Annotation.UnsuitableDeclaration.declaration(keyword: Word.operator.rawValue, name: text(token))
        addItem(.other(item), prefix, keyword: keyword, name: token.start)
        advance()
        if token.kind == .colon {
            advance()
            _ = readInheritedTypes()
        }
        items[items.count - 1].end = previous?.end ?? items[items.count - 1].end
    }

    private mutating func parseOther(_ word: Word, keyword: Int, _ prefix: Prefix) {
        addItem(
            .other(.declaration(keyword: word.rawValue, name: name(token))),
            prefix,
            keyword: keyword,
            name: token.start
        )
        if word == .associatedtype, case .type(let type) = frame.kind {
            file.types[type].associatedTypes.append(text(token))
        }
        advance()
        continueInFrame()
    }

    /// Marks the rest of the last declaration to be skipped, unless it is in code.
    private mutating func continueInFrame() {
        items[items.count - 1].end = previous?.end ?? items[items.count - 1].end
        guard frame.kind != .code else { return }
        frame.member = Member(item: items.count - 1, property: nil)
        frame.isInMember = true
    }

    mutating func addItem(_ kind: Item.Kind, _ prefix: Prefix, keyword: Int, name: Int) {
        let end = previous?.end ?? keyword
        items.append(Item(kind: kind, start: prefix.start, keyword: keyword, name: name, end: end))
    }

    mutating func addMember(_ name: String, isStatic: Bool, at location: SourceLocation) {
        guard case .type(let type) = frame.kind else { return }
        file.types[type].memberNames.append(MemberName(name: name, isStatic: isStatic, location: location))
    }
}
