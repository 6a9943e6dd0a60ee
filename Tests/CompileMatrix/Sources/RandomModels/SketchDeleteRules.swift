import SeededRandom

/// What becomes of owners when related entities are removed.
extension Sketch {
    /// Gives some relationships delete rules.
    mutating func addDeleteRules(_ numbers: inout SeededGenerator) {
        for owner in models.indices where models[owner].isEntity {
            for number in models[owner].links.indices where numbers.once(in: 3) {
                let link = models[owner].links[number]
                // Only a variable that everyone can set may lose an identifier.
                let isSettable = [.variable, .observed].contains(link.keyword)
                let canBeEmpty = link.isOptional || link.container != .none
                let rules = ["cascade", "keep"] + (isSettable && canBeEmpty ? ["nullify", "nullify"] : [])
                models[owner].links[number].deleteRule = numbers.pick(from: rules)
            }
        }
    }

    /// The use of the delete rules of a model.
    func usageOfDeleteRules(of owner: Int) -> [String] {
        let model = models[owner]
        let type = type(of: owner)
        return (model.isAvailableLater ? ["@available(macOS 99, *)"] : [])
            + (model.links.contains(where: \.isDeprecated) ? ["@available(*, deprecated)"] : []) + [
                "func useRules\(owner)\(model.generics?.parameters ?? "")(_ value: \(type)) {",
                "    let rules: [FlatCache.DeleteRule<\(type)>] = \(type).deleteRules; _ = rules", "}",
            ]
    }
}
