extension Sketch {
    /// A file that uses every accessor that the annotations should give, with its type written.
    func usage() -> String {
        var lines = ["\(Self.usageImport)import FlatCache"]
        for owner in models.indices where !models[owner].isLeftOut {
            for (number, link) in models[owner].links.enumerated() {
                let conditions = [models[owner].condition, link.condition].compactMap { $0 }
                lines += conditions.flatMap(\.opening)
                lines += usage(of: link, number, by: owner)
                lines += conditions.reversed().flatMap(\.closing)
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static let usageImport = ""

    private func usage(of link: Link, _ number: Int, by owner: Int) -> [String] {
        let model = models[owner]
        let type = type(of: owner)
        let related = self.type(of: link.target)
        let name = Words.declared(link.accessor)
        let capital = Words.capitalized(link.accessor)
        let accessorType = link.accessorType(related)
        let fetched = link.parameterType(related)
        var lines = model.isAvailableLater ? ["@available(macOS 99, *)"] : []
        if link.isDeprecated { lines.append("@available(*, deprecated)") }
        lines.append("func use\(owner)_\(number)\(model.generics?.parameters ?? "")(_ value: \(type)) async throws {")
        lines.append(
            "    let current: \(accessorType) = value.\(name); let other: \(accessorType) = value.\(name)(in: .current)"
        )
        lines.append("    let fetched: \(fetched) = try await value.fetch\(capital)()")
        lines.append("    _ = (current, other, value.cached\(capital), value.cached\(capital)(in: .current))")
        if link.isAssignable {
            lines.append("    var copy = value; copy.set\(capital)(fetched)")
            if link.container != .none { lines.append("    copy.\(name) = fetched") }
            if link.container == .none && link.isOptional { lines.append("    copy.\(name) = nil") }
        } else {
            lines.append("    try value.set\(capital)(fetched, in: .current)")
        }
        if link.isThrowing {
            lines.append("    let required: \(fetched) = try value.require\(capital)(); _ = required")
            lines.append("    _ = try value.require\(capital)(in: .current)")
        }
        if link.container != .none {
            let missing = Words.member("missing" + Words.capitalized(link.property))
            lines.append(
                "    let missing: [\(related).ID] = value.\(missing)() + value.\(missing)(in: .current); _ = missing"
            )
        }
        if model.isEntity { lines += usageOfHandle(link, name, capital, of: owner, related, accessorType) }
        return lines + ["}"]
    }

    private func usageOfHandle(
        _ link: Link,
        _ name: String,
        _ capital: String,
        of owner: Int,
        _ related: String,
        _ accessorType: String
    ) -> [String] {
        let type = type(of: owner)
        var lines = [
            "    let path: FlatCache.Relationship<\(type), \(related)> = \(type).relationships.\(name); _ = path"
        ]
        lines += [
            "    let handle = FlatCache.Cached(\(type).self, id: value.id)",
            "    let handled: \(accessorType) = handle.\(name); _ = (handled, handle.cached\(capital))",
            "    try handle.set\(capital)(try await handle.fetch\(capital)())",
        ]
        if link.isThrowing { lines.append("    _ = try handle.require\(capital)()") }
        if link.container != .none {
            lines.append("    _ = handle.\(Words.member("missing" + Words.capitalized(link.property)))().count")
        }
        return lines
    }
}

extension Link {
    /// Whether the rest of the target can set the property.
    var isAssignable: Bool { keyword != .constant && keyword != .privateSetter }
}

extension Words {
    /// A name made of others, which needs backticks only where those did for what is in them.
    static func member(_ name: String) -> String { name.contains(" ") ? "`\(name)`" : name }
}
