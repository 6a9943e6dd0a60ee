/// The code of the indexes of a type.
struct IndexCode {
    private let indexes: [IndexedProperty]

    init(_ indexes: [IndexedProperty]) {
        self.indexes = indexes
    }

    /// The lines of the body that returns the indexes.
    var lines: [String] {
        ConditionalArray(
            type: "[FlatCache.Index<Self>]",
            name: "indexes",
            indexes.map { (entry($0), $0.property.conditions) }
        )
        .lines
    }

    private func entry(_ index: IndexedProperty) -> String {
        let label = index.isEach ? "each: " : ""
        let isUnique = index.isUnique && !index.isEach ? ", isUnique: true" : ""
        return ".init(\(label)\\.\(SwiftWords.member(index.property.name))\(isUnique))"
    }
}

extension PropertyDeclaration {
    /// Whether uses of the property are warned about.
    var isDeprecated: Bool { availability.contains { $0.contains("deprecated") } }
}
