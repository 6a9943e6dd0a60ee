/// Finds out what annotations stand on.
///
/// An annotation on a line of its own belongs to the declaration that begins with the next token, or whose attributes and
/// modifiers that token is among. One that trails belongs to the property whose name is on its line, or that ends there.
struct AnnotationAttachment {
    private let source: SourceText
    private let items: [DeclarationParser.Item]
    /// The last item whose name is on a line, and the last whose end is.
    private var itemsByNameLine: [Int: Int] = [:]
    private var itemsByEndLine: [Int: Int] = [:]

    init(_ source: SourceText, _ items: [DeclarationParser.Item]) {
        self.source = source
        self.items = items.sorted { $0.start < $1.start }
        for (index, item) in self.items.enumerated() {
            itemsByNameLine[source.line(of: item.name)] = index
            itemsByEndLine[source.line(of: max(item.name, item.end - 1))] = index
        }
    }

    /// What a comment stands on.
    func attachment(of comment: Comment) -> Attachment {
        comment.isFirstOnLine ? leading(comment) : trailing(comment)
    }

    private func leading(_ comment: Comment) -> Attachment {
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
        guard let item = lastItem(startingAtOrBefore: next) else {
            return .unsuitable(.statement, location: source.location(of: next))
        }
        if next <= item.keyword { return attachment(to: item) }
        // Between the cases of an enumeration, or among the parameters of a function.
        if next < item.end, case .other(let declaration) = item.kind {
            return .unsuitable(declaration, location: source.location(of: item.name))
        }
        return .unsuitable(.statement, location: source.location(of: next))
    }

    private func trailing(_ comment: Comment) -> Attachment {
        guard let previous = comment.previous else { return .nothing(.trailingOther) }
        let line = source.line(of: comment.range.lowerBound)
        let onLine = items[..<(itemsByNameLine[line].map { $0 + 1 } ?? 0)].reversed().prefix {
            source.line(of: $0.name) == line
        }
        let ending = itemsByEndLine[line].map { [items[$0]] } ?? []
        for item in onLine + ending where item.start <= previous.lowerBound && previous.upperBound <= item.end {
            return attachment(to: item)
        }
        // Of what is local only the name is known, and the comment stands behind the value.
        if let item = onLine.first, case .other(.localVariable) = item.kind { return attachment(to: item) }
        return .nothing(.trailingOther)
    }

    private func attachment(to item: DeclarationParser.Item) -> Attachment {
        switch item.kind {
        case .property(let type, let property): .property(type: type, property: property)
        case .other(let declaration): .unsuitable(declaration, location: source.location(of: item.name))
        }
    }

    private func lastItem(startingAtOrBefore offset: Int) -> DeclarationParser.Item? {
        var low = 0
        var high = items.count
        while low < high {
            let middle = (low + high) / 2
            if items[middle].start <= offset { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? items[low - 1] : nil
    }
}
