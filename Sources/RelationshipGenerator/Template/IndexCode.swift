/// The code of the indexes of a type.
struct IndexCode {
    private let indexes: [IndexedProperty]

    init(_ indexes: [IndexedProperty]) {
        self.indexes = indexes
    }

    /// The lines of the body that returns the indexes.
    ///
    /// It is an array, or statements if properties are declared under conditions, which an array can't contain.
    var lines: [String] {
        guard !indexes.isEmpty else { return [] }
        let unconditional = indexes.filter { $0.property.conditions.isEmpty }
        guard unconditional.count < indexes.count else { return Self.array(of: indexes, after: "") }
        var lines = Self.array(of: unconditional, after: "var indexes: [FlatCache.Index<Self>] = ")
        for index in indexes where !index.property.conditions.isEmpty {
            let conditions = index.property.conditions
            lines += conditions.flatMap(\.directives) + Self.array(of: [index], after: "indexes += ")
            lines += conditions.map { _ in "#endif" }
        }
        return lines + ["return indexes"]
    }

    /// An array literal with as many indexes in a line as fit.
    private static func array(of indexes: [IndexedProperty], after beginning: String) -> [String] {
        var lines = [beginning + "["]
        for (number, index) in indexes.enumerated() {
            let entry = entry(index) + (number == indexes.count - 1 ? "" : ",")
            let last = lines[lines.count - 1]
            if number == 0 {
                lines[lines.count - 1] += entry
            } else if last.count + entry.count < LineWrapping.limit - 10 {
                lines[lines.count - 1] += " " + entry
            } else {
                lines.append((beginning.isEmpty ? " " : "    ") + entry)
            }
        }
        lines[lines.count - 1] += "]"
        return lines
    }

    private static func entry(_ index: IndexedProperty) -> String {
        let label = index.isEach ? "each: " : ""
        let isUnique = index.isUnique && !index.isEach ? ", isUnique: true" : ""
        return ".init(\(label)\\.\(SwiftWords.member(index.property.name))\(isUnique))"
    }
}

extension PropertyDeclaration {
    /// Whether uses of the property are warned about.
    var isDeprecated: Bool { availability.contains { $0.contains("deprecated") } }
}
