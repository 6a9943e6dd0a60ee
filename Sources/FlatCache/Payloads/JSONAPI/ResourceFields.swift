/// The fields of the resources of one type, by the keys of its entities.
final class ResourceFields {
    /// The key of the entity's identifier.
    let identifierName: String
    /// The relationships of the entity type, by each key at which they can be.
    private let relations: [String: PayloadRelation]
    private var fields: [String: ResourceField] = [:]

    /// Creates the fields of resources that aren't entities.
    init() {
        identifierName = "id"
        relations = [:]
    }

    /// Creates the fields of an object that has its identifier elsewhere.
    init(identifierName: String) {
        self.identifierName = identifierName
        relations = [:]
    }

    init<Entity>(_ keys: EntityKeys<Entity>) {
        identifierName = keys.identifier?.name ?? "id"
        relations = keys.list.reduce(into: [:]) { relations, key in
            guard let relation = key.relation else { return }
            for name in relation.names { relations[name] = relation }
        }
    }

    /// The field with the name of a key, which is made with the first question.
    subscript(name: String) -> ResourceField {
        if let field = fields[name] { return field }
        let field = ResourceField(name, relations[name])
        fields[name] = field
        return field
    }
}

/// A field of resources: an attribute or a relationship.
final class ResourceField {
    /// The names of the field in documents, the one first that was found last.
    private(set) var spellings: [AnyCodingKey]
    /// The names of the related type, or `nil` if the entity type has no relationship with this key.
    let related: PayloadName?
    /// Whether the field of the last resource was an attribute with the first of the names.
    var isAttribute = false
    /// The kind of the last linkage, which the next one probably has as well.
    var kind = Kind.other
    /// The type of the last identification that was compared with `related`.
    private var knownType: String?

    /// The kinds of linkages.
    enum Kind {
        case one, many, other
    }

    init(_ name: String, _ relation: PayloadRelation?) {
        let names = relation?.names ?? []
        spellings = (names.contains(name) ? names : [name]).flatMap(Self.spellings)
        related = relation.map { PayloadName(of: $0.relatedType) }
    }

    /// A name in camel, kebab and snake case.
    private static func spellings(of name: String) -> [AnyCodingKey] {
        let words = words(of: name)
        let others = words.count > 1 ? ["-", "_"].map { words.joined(separator: $0) } : []
        return ([name] + others.filter { $0 != name }).map { AnyCodingKey($0) }
    }

    /// The first name that a closure accepts.
    func spelling(where accepts: (AnyCodingKey) -> Bool) -> AnyCodingKey? {
        for index in spellings.indices where accepts(spellings[index]) {
            if index != 0 { spellings.swapAt(0, index) }
            return spellings[0]
        }
        return nil
    }

    /// The rule that the target of the relationship breaks, or `nil`.
    func violation(of identifier: JSONAPI.Identifier) -> JSONAPI.Violation? {
        if identifier.id == nil { return .onlyLocal(identifier) }
        guard let related, identifier.type != knownType else { return nil }
        guard related.matches(identifier.type) else {
            return .unexpectedType(identifier.type, expected: related.text)
        }
        knownType = identifier.type
        return nil
    }

    /// The lowercased words of a name in camel case.
    private static func words(of name: String) -> [String] {
        let characters = Array(name)
        var words: [String] = []
        for (index, character) in characters.enumerated() {
            let previous = index > 0 ? characters[index - 1] : nil
            let next = index + 1 < characters.count ? characters[index + 1] : nil
            // A word begins at `C` in `blogComment`, and at `T` in `htmlURLText`.
            let begins =
                character.isUppercase && (previous.map { !$0.isUppercase } ?? false || next?.isLowercase ?? false)
            if begins || words.isEmpty { words.append("") }
            words[words.count - 1] += character.lowercased()
        }
        return words
    }
}
