import SeededRandom

/// Accessors that lead back, and indexes.
extension Sketch {
    /// Gives some relationships backlinks, and some properties indexes.
    mutating func addBacklinks(_ numbers: inout SeededGenerator) {
        for owner in models.indices where models[owner].isEntity {
            for number in models[owner].links.indices {
                let link = models[owner].links[number]
                guard [.none, .array, .set].contains(link.container) else { continue }
                if numbers.once(in: 3), link.layout != .behindSemicolon {
                    let isUnique = link.container == .none && numbers.once(in: 2)
                    models[owner].links[number].index = "// cache: index\(isUnique ? ", unique" : "")"
                }
                guard models[owner].generics == nil, models[link.target].generics == nil, link.inverse == nil,
                    numbers.once(in: 2)
                else { continue }
                let name = numbers.pick("back\(owner)\(number)", "`back \(owner) of \(number)`")
                models[owner].links[number].backlink = name
                models[owner].links[number].isSorted = models[owner].identifier != .tagged && numbers.once(in: 3)
            }
        }
    }

    /// The use of a backlink by the related model.
    func usageOfBacklink(_ link: Link, _ number: Int, by owner: Int) -> [String] {
        guard let name = link.backlink else { return [] }
        let type = type(of: owner)
        let related = self.type(of: link.target)
        var lines = models[owner].isAvailableLater ? ["@available(macOS 99, *)"] : []
        if link.isDeprecated { lines.append("@available(*, deprecated)") }
        // One deprecated property deprecates the indexes.
        let isDeprecated = models[owner].links.contains(where: \.isDeprecated)
        return lines + [
            "func lead\(owner)_\(number)(_ value: \(related)) throws {",
            "    let current: [\(type)] = value.\(name); let other: [\(type)] = value.\(name)(in: .current)",
            "    let path: FlatCache.Relationship<\(related), FlatCache.Backlink<\(type)>> = \(related).relationships.\(name)",
            "    let handle = FlatCache.Cached(\(related).self, id: value.id); _ = (current, other, path)",
            "    let handled: [\(type)] = handle.\(name); let required: [\(type)] = try value.require(\\.\(name))",
            "    let handles: [FlatCache.Cached<\(type)>] = value.cached(\\.\(name)); _ = (handled, required, handles)",
            "    let needed: [\(type)] = try handle.require(\\.\(name)); _ = (needed, handle.missing(\\.\(name)).count)",
        ]
            + (isDeprecated
                ? ["}"] : ["    let indexes: [FlatCache.Index<\(type)>] = \(type).indexes; _ = indexes", "}"])
    }
}
