/// The code of an array, of which some elements can be under `#if`.
struct ConditionalArray {
    /// The type of the array.
    private let type: String
    /// The name of a variable for the array.
    private let name: String
    private let elements: [(text: String, conditions: [ConditionalBranch])]

    init(type: String, name: String, _ elements: [(text: String, conditions: [ConditionalBranch])]) {
        self.type = type
        self.name = name
        self.elements = elements
    }

    /// The lines of a body that returns the array, or none if it is empty.
    ///
    /// It is an array literal, or statements if elements are under conditions, which a literal can't contain.
    @_optimize(none)
    var lines: [String] {
        guard !elements.isEmpty else { return [] }
        let unconditional = elements.filter(\.conditions.isEmpty).map(\.text)
        guard unconditional.count < elements.count else { return Self.literal(of: unconditional, after: "") }
        var lines = Self.literal(of: unconditional, after: "var \(name): \(type) = ")
        var conditional = elements.filter { !$0.conditions.isEmpty }[...]
        while let conditions = conditional.first?.conditions {
            let group = conditional.prefix { $0.conditions == conditions }
            conditional = conditional.dropFirst(group.count)
            lines += conditions.flatMap(\.directives) + Self.literal(of: group.map(\.text), after: "\(name) += ")
            lines += conditions.map { _ in "#endif" }
        }
        return lines + ["return \(name)"]
    }

    /// The lines of a property that returns the array, or none if it is empty.
    ///
    /// - Parameter modifiers: The modifiers of the property, with a trailing space.
    func property(_ modifiers: String) -> [String] {
        let body = lines
        if body.isEmpty { return [] }
        let head = "\(modifiers)static var \(name): \(type) {"
        if body.count == 1, head.count + body[0].count < LineWrapping.limit - 6 { return ["\(head) \(body[0]) }"] }
        // A directive may be indented, too.
        return [head] + body.map { "    " + $0 } + ["}"]
    }

    /// An array literal with as many elements in a line as fit.
    private static func literal(of elements: [String], after beginning: String) -> [String] {
        var lines = [beginning + "["]
        for (number, element) in elements.enumerated() {
            let element = element + (number == elements.count - 1 ? "" : ",")
            let last = lines[lines.count - 1]
            if number == 0 {
                lines[lines.count - 1] += element
            } else if last.count + element.count < LineWrapping.limit - 10 {
                lines[lines.count - 1] += " " + element
            } else {
                lines.append((beginning.isEmpty ? " " : "    ") + element)
            }
        }
        lines[lines.count - 1] += "]"
        return lines
    }
}

/// The code of the list of all relationships of a type.
struct RelationshipListCode {
    private let relationships: [Relationship]
    private let parts: [Part]

    /// Creates the code for the relationships of a type and its properties whose values have relationships.
    init(_ relationships: [Relationship], _ parts: [Part]) {
        self.relationships = relationships.filter { !$0.property.isUnavailable }
        self.parts = parts
    }

    /// The lines of the property that returns the relationships, or none.
    ///
    /// - Parameter access: The modifier of the property.
    @_optimize(none)
    func lines(_ access: String) -> [String] {
        let isDeprecated = (relationships.map(\.property) + parts.map(\.property)).contains(where: \.isDeprecated)
        let entries =
            relationships.map { (Self.entry($0), $0.property.conditions) }
            + parts.map { (Self.entry($0), $0.property.conditions) }
        return ConditionalArray(type: "_All", name: "allRelationships", entries)
            .property((isDeprecated ? "@available(*, deprecated) " : "") + access)
    }

    private static func entry(_ relationship: Relationship) -> String {
        ".init(\\.\(SwiftWords.member(relationship.names.accessor)))"
    }

    private static func entry(_ part: Part) -> String {
        guard let pattern = part.pattern else {
            return ".init(within: { \(values(of: part.shape, in: "$0.\(SwiftWords.member(part.property.name))")) })"
        }
        let values = values(of: part.shape, in: "held")
        // The first statement shows the type of the result.
        return ".init(within: { if case \(pattern) = $0 { return \(values) }; "
            + "return \(part.shape.isCollection ? "[]" : "nil") })"
    }

    /// The expression for the value, or for a sequence of the values, in an expression of a type with a shape.
    private static func values(of shape: TypeShape, in expression: String) -> String {
        switch shape {
        case .name, .other, .optional(.name): expression
        case .optional(.dictionary(let key, let value)):
            values(of: .dictionary(key: key, value), in: "(\(expression) ?? [:])")
        case .optional(.optional(let content)): values(of: .optional(content), in: "(\(expression) ?? nil)")
        case .optional(let content): values(of: content, in: "\(expression) ?? []")
        case .array(let element), .set(let element): elements(element, of: expression)
        case .dictionary(_, let value): elements(value, of: expression + ".values")
        }
    }

    /// The expression for the values in the elements of a sequence.
    private static func elements(_ element: TypeShape, of sequence: String) -> String {
        // The operator `??` binds less than a member.
        let operand = sequence.contains(" ?? []") ? "(\(sequence))" : sequence
        return switch element {
        case .name, .other: sequence
        case .array(.name), .set(.name): "\(operand).joined()"
        case _ where element.isCollection: "\(operand).flatMap { \(values(of: element, in: "$0")) }"
        default: "\(operand).compactMap { \(values(of: element, in: "$0")) }"
        }
    }
}

/// The code of the indexes of a type.
struct IndexCode {
    private let indexes: [IndexedProperty]

    init(_ indexes: [IndexedProperty]) {
        self.indexes = indexes
    }

    /// The lines of the body that returns the indexes.
    @_optimize(none)
    var lines: [String] {
        ConditionalArray(
            type: "[FlatCache.Index<Self>]",
            name: "indexes",
            indexes.map { (entry($0), $0.property.conditions) }
        )
        .lines
    }

    private func entry(_ index: IndexedProperty) -> String {
        Self.entry(index.property.name, isEach: index.isEach, isUnique: index.isUnique)
    }

    /// The index of a property.
    static func entry(_ property: String, isEach: Bool, isUnique: Bool = false) -> String {
        let label = isEach ? "each: " : ""
        let isUnique = isUnique && !isEach ? ", isUnique: true" : ""
        return ".init(\(label)\\.\(SwiftWords.member(property))\(isUnique))"
    }
}

extension PropertyDeclaration {
    /// Whether uses of the property are warned about.
    var isDeprecated: Bool { availability.contains { $0.contains("deprecated") } }
}

/// The code of the inverses of a type.
struct InverseCode {
    private let inverses: [KeptInverse]

    init(_ inverses: [KeptInverse]) {
        self.inverses = inverses
    }

    /// The lines of the property that returns the inverses, or none.
    ///
    /// - Parameter access: The modifier of the property.
    func lines(_ access: String) -> [String] {
        let isDeprecated = inverses.contains {
            $0.relationship.property.isDeprecated || $0.inverse.property.isDeprecated
        }
        return ConditionalArray(type: "_Inverses", name: "inverses", inverses.map { (entry($0), $0.conditions) })
            .property((isDeprecated ? "@available(*, deprecated) " : "") + access)
    }

    private func entry(_ inverse: KeptInverse) -> String {
        let names = [inverse.relationship, inverse.inverse].map { "\\.\(SwiftWords.member($0.names.accessor))" }
        return ".init(\(names[0]), \(names[1]))"
    }
}

/// The code of the delete rules of a type.
struct DeleteRuleCode {
    private let relationships: [Relationship]

    /// Creates the code for the relationships of a type, of which some can have a rule.
    init(_ relationships: [Relationship]) {
        self.relationships = relationships.filter { $0.deleteRule != nil }
    }

    /// The lines of the property that returns the rules, or none.
    ///
    /// - Parameter access: The modifier of the property.
    func lines(_ access: String) -> [String] {
        let isDeprecated = relationships.contains(where: \.property.isDeprecated)
        let entries = relationships.map { (entry($0), $0.property.conditions) }
        return ConditionalArray(type: "[FlatCache.DeleteRule<Self>]", name: "deleteRules", entries)
            .property((isDeprecated ? "@available(*, deprecated) " : "") + access)
    }

    private func entry(_ relationship: Relationship) -> String {
        let accessor = SwiftWords.member(relationship.names.accessor)
        return ".init(\\.\(accessor), .\(relationship.deleteRule?.rawValue ?? "")\(index(of: relationship)))"
    }

    /// The argument with the index of the identifiers, if there can be one.
    private func index(of relationship: Relationship) -> String {
        switch relationship.cardinality.container {
        case _ where relationship.property.isCase: ""
        case .nested, .dictionary: ""
        case .none, .array, .set:
            ", index: "
                + IndexCode.entry(relationship.property.name, isEach: relationship.cardinality.isToMany)
        }
    }
}

/// The code of a table of keys.
struct PayloadCode {
    private let table: PayloadTable
    /// The number of characters before the code in a line of the generated file.
    private static let indentation = 8

    init(_ table: PayloadTable) {
        self.table = table
    }

    /// The lines of the body that returns the keys.
    ///
    /// It is an array, or statements if keys are declared under conditions, which an array can't contain.
    var lines: [String] {
        let groups = groups
        guard groups.contains(where: { $0.condition != nil }) else { return Self.array(of: table.keys, after: "") }
        let unconditional = groups[0].condition == nil ? groups[0].keys : []
        var lines = Self.array(of: unconditional, after: "var keys: [_PayloadKey] = ")
        for group in groups.dropFirst(unconditional.isEmpty ? 0 : 1) {
            let addition = Self.array(of: group.keys, after: "keys += ")
            lines += group.condition.map { ["#if \($0)"] + addition + ["#endif"] } ?? addition
        }
        return lines + ["return keys"]
    }

    /// Keys that follow each other under the same condition.
    private var groups: [(condition: String?, keys: [PayloadTable.Key])] {
        var groups: [(condition: String?, keys: [PayloadTable.Key])] = []
        for key in table.keys {
            if let last = groups.last, last.condition == key.condition {
                groups[groups.count - 1].keys.append(key)
            } else {
                groups.append((key.condition, [key]))
            }
        }
        return groups
    }

    /// An array literal with as many keys in a line as fit.
    private static func array(of keys: [PayloadTable.Key], after beginning: String) -> [String] {
        var lines = [beginning + "["]
        for (index, key) in keys.enumerated() {
            let entry = entry(key) + (index == keys.count - 1 ? "]" : ",")
            let isFirst = lines[lines.count - 1].hasSuffix("[")
            let length = indentation + lines[lines.count - 1].count + entry.count + (isFirst ? 0 : 1)
            if length <= LineWrapping.limit || isFirst {
                lines[lines.count - 1] += (isFirst ? "" : " ") + entry
            } else {
                lines += wrapped(entry, indentedBy: beginning.isEmpty ? 1 : 4)
            }
        }
        if keys.isEmpty { lines[0] += "]" }
        return lines
    }

    /// The lines of an entry, which is broken before arguments if it is longer than a line.
    private static func wrapped(_ entry: String, indentedBy width: Int) -> [String] {
        var lines = [String(repeating: " ", count: width)]
        for (index, argument) in entry.split(separator: ", ", omittingEmptySubsequences: false).enumerated() {
            let piece = (index == 0 ? "" : ", ") + argument
            // The comma stays in the line before.
            if indentation + lines[lines.count - 1].count + piece.count + 1 > LineWrapping.limit, index > 0 {
                lines[lines.count - 1] += ","
                lines.append(String(repeating: " ", count: width + 4) + argument)
            } else {
                lines[lines.count - 1] += piece
            }
        }
        return lines
    }

    private static func alternatives(_ key: PayloadTable.Key) -> String {
        key.alternatives.map { ", \(StringLiteral.literal(of: $0))" }.joined()
    }

    /// The related type and the alternatives, after other arguments.
    private static func related(_ type: String?, _ key: PayloadTable.Key) -> String {
        type.map { ", \($0)\(alternatives(key))" } ?? ""
    }

    private static func entry(_ key: PayloadTable.Key) -> String {
        if !key.isIdentifier { return initializer(key) }
        if case .readable = key.form { return initializer(key, label: "id: ") }
        return initializer(key) + ".asIdentifier"
    }

    @_optimize(none)
    private static func initializer(_ key: PayloadTable.Key, label: String = "") -> String {
        let name = StringLiteral.literal(of: key.name)
        let path = "\\.\(SwiftWords.member(key.property.name))"
        switch key.form {
        case .readable: return ".init(\(label)\(name), \(path))"
        case .local: return ".init(local: \(path))"
        case .wrapped(let type, let related):
            let type = type.map { ", as: \($0)" } ?? ""
            return ".init(\(name), wrapped: \(path)\(type)\(self.related(related, key)))"
        case .omittable(let related): return ".init(\(name), omittable: \(path)\(self.related(related, key)))"
        case .hidden(let type): return ".init(\(name), \(type))"
        case .related(let type): return ".init(\(name), \(path)\(related(type, key)))"
        case .linked(let type): return ".init(\(name), to: \(type)\(alternatives(key)))"
        }
    }
}

extension PayloadTable.Key {
    /// The condition under which the key is read, or `nil` if it is always read.
    var condition: String? {
        conditions.isEmpty ? nil : ConditionalBranch.condition(ofAnyOf: [conditions])
    }
}
