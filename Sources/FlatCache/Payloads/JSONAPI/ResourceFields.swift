/// The fields of the resources of one type, by the keys of its entities.
final class ResourceFields {
    /// The key of the entity's identifier.
    let identifierName: String
    /// The relationships of the entity type, by each key at which they can be.
    private let relations: [String: PayloadRelation]
    /// The keys of the relationships that aren't coding keys.
    private let alternatives: Set<String>
    private var fields: [ResourceField] = []
    private var places: [String: Int] = [:]
    /// The place of the field that is probably asked for next, because all entities ask in one order.
    private var next = 0

    /// Creates the fields of resources that aren't entities.
    init() {
        identifierName = "id"
        relations = [:]
        alternatives = []
    }

    /// Creates the fields of an object that has its identifier elsewhere.
    init(identifierName: String) {
        self.identifierName = identifierName
        relations = [:]
        alternatives = []
    }

    init<Entity>(_ keys: EntityKeys<Entity>) {
        identifierName = keys.identifier?.name ?? "id"
        let relations = keys.list.compactMap { $0.relation }
        alternatives = Set(relations.flatMap { $0.names.dropFirst() }).subtracting(keys.list.map { $0.name })
        self.relations = relations.reduce(into: [:]) { byName, relation in
            for name in relation.names { byName[name] = relation }
        }
    }

    /// The field with the name of a key, which is made with the first question.
    subscript(name: String) -> ResourceField {
        if next < fields.count, fields[next].name == name {
            next += 1
            return fields[next - 1]
        }
        let place = places[name] ?? fields.count
        if place == fields.count {
            places[name] = place
            fields.append(ResourceField(name, relations[name], hasLinkage: !alternatives.contains(name)))
        }
        next = place + 1
        return fields[place]
    }
}

/// A field of resources: an attribute or a relationship.
final class ResourceField {
    let name: String
    /// The names of the field in documents, the one first that was found last.
    private(set) var spellings: [AnyCodingKey]
    /// The names of the related type, or `nil` if the entity type has no relationship with this key.
    let related: PayloadName?
    /// Whether a relationship of a resource can be asked for with this key.
    ///
    /// The linkage is only at the coding key of a relationship of the entity type, so that it is read once.
    let hasLinkage: Bool
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

    init(_ name: String, _ relation: PayloadRelation?, hasLinkage: Bool) {
        self.name = name
        self.hasLinkage = hasLinkage
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
