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
