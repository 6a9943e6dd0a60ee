/// Finds the declarations that annotations are attached to.
///
/// An annotation on its own line is attached to a declaration if the next token begins it, or begins one of its attributes or
/// modifiers. Inside an attribute it is attached to nothing. An annotation after code is attached to the property whose name
/// is on its line, or that ends there.
struct AnnotationAttacher {
    private let source: SourceText
    private let items: [DeclarationParser.Item]
    /// The ranges inside attributes and modifiers, in source order.
    private let insides: [Range<Int>]
    /// For each item, the innermost item that contains it, such as a property whose initial value is a closure.
    private let enclosing: [Int?]

    init(_ source: SourceText, _ items: [DeclarationParser.Item], insides: [Range<Int>]) {
        self.source = source
        self.insides = insides
        self.items = items.ordered { $0.start < $1.start }
        var enclosing: [Int?] = []
        var open: [Int] = []
        for item in self.items {
            while let last = open.last, self.items[last].end <= item.start { open.removeLast() }
            enclosing.append(open.last)
            open.append(enclosing.count - 1)
        }
        self.enclosing = enclosing
    }

    /// The declaration that a comment is attached to, if there is one.
    func attachment(of comment: Comment) -> Annotation.Attachment {
        comment.isFirstOnLine ? leading(comment) : trailing(comment)
    }

    private func leading(_ comment: Comment) -> Annotation.Attachment {
        if comment.isFollowedByBlankLine { return .nothing(.blankLine) }
        switch comment.next.kind {
        case .endOfFile: return .nothing(.endOfFile)
        case .rightBrace, .rightParenthesis, .rightBracket: return .nothing(.endOfScope)
        default: break
        }
        if comment.next.kind == .pound {
            switch comment.next.word {
            case .elseif, .else, .endif: return .nothing(.endOfScope)
            default: break
            }
        }
        let next = comment.next.start
        if isInside(next) { return .unsuitable(.partOfAttribute, location: source.location(of: next)) }
        guard let index = lastIndex(startingAtOrBefore: next) else {
            return .unsuitable(.statement, location: source.location(of: next))
        }
        let item = items[index]
        if next <= item.keyword { return attachment(to: item) }
        // The comment is between the cases of an enumeration, or among the parameters of a function.
        if next < item.end {
            switch item.kind {
            case .other(let declaration): return .unsuitable(declaration, location: source.location(of: item.name))
            case .enumCase: return .unsuitable(.partOfCase, location: source.location(of: item.name))
            case .property: break
            }
        }
        return .unsuitable(.statement, location: source.location(of: next))
    }

    private func trailing(_ comment: Comment) -> Annotation.Attachment {
        guard let previous = comment.previous else { return .nothing(.trailingOther) }
        let line = source.line(of: comment.range.lowerBound)
        let last = lastIndex(startingAtOrBefore: previous.lowerBound)
        var index = last
        while let candidate = index {
            let item = items[candidate]
            if previous.lowerBound == item.semicolon { return attachment(to: item) }
            if previous.upperBound <= item.end, isOn(line, item) { return attachment(to: item) }
            index = enclosing[candidate]
        }
        // Only the name of a local variable is known, and the comment is after its value.
        if let last, case .other(.localVariable) = items[last].kind, source.line(of: items[last].name) == line {
            return attachment(to: items[last])
        }
        return .nothing(.trailingOther)
    }

    /// Whether an item has its name or its end on a line.
    private func isOn(_ line: Int, _ item: DeclarationParser.Item) -> Bool {
        source.line(of: item.name) == line || source.line(of: max(item.name, item.end - 1)) == line
    }

    private func attachment(to item: DeclarationParser.Item) -> Annotation.Attachment {
        switch item.kind {
        case .property(let type, let property): .property(type: type, property: property)
        case .enumCase(let type, let index): .enumCase(type: type, index: index)
        case .other(let declaration): .unsuitable(declaration, location: source.location(of: item.name))
        }
    }

    /// Whether a token is inside an attribute or a modifier.
    private func isInside(_ offset: Int) -> Bool {
        let last = Self.lastIndex(in: insides) { $0.lowerBound <= offset }
        return last.map { offset < insides[$0].upperBound } ?? false
    }

    private func lastIndex(startingAtOrBefore offset: Int) -> Int? {
        Self.lastIndex(in: items) { $0.start <= offset }
    }

    /// The index of the last element that satisfies a condition, which all elements before it must satisfy, too.
    private static func lastIndex<Element>(in elements: [Element], where isBefore: (Element) -> Bool) -> Int? {
        var low = 0
        var high = elements.count
        while low < high {
            let middle = (low + high) / 2
            if isBefore(elements[middle]) { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? low - 1 : nil
    }
}
