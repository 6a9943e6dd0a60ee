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
        for owner in models.indices where models[owner].decoding != nil && !models[owner].isLeftOut {
            lines += models[owner].condition?.opening ?? []
            lines += usageOfKeys(of: owner)
            lines += models[owner].condition?.closing ?? []
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The use of the table of keys.
    private func usageOfKeys(of owner: Int) -> [String] {
        let type = type(of: owner)
        return (models[owner].isAvailableLater ? ["@available(macOS 99, *)"] : [])
            + (models[owner].links.contains(where: \.isDeprecated) ? ["@available(*, deprecated)"] : []) + [
                "func useKeys\(owner)\(models[owner].generics?.parameters ?? "")(_ value: \(type)) {",
                "    let keys: [FlatCache.PayloadKey<\(type)>] = \(type).payloadKeys; _ = keys", "}",
            ]
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
        lines.append("    let fetched: \(fetched) = try await value.fetch\(capital)(); _ = (current, other)")
        if link.isAssignable {
            lines.append("    var copy = value; copy.set\(capital)(fetched)")
            if link.container != .none { lines.append("    copy.\(name) = fetched") }
            if link.container == .none && link.isOptional { lines.append("    copy.\(name) = nil") }
        } else {
            lines.append("    try value.set\(capital)(fetched, in: .current)")
        }
        lines += usageOfDescription(link, name, type, related)
        if model.isEntity { lines += usageOfHandle(link, name, type, related) }
        return lines + ["}"]
    }

    /// The use of what every relationship has by its key path.
    private func usageOfDescription(_ link: Link, _ name: String, _ type: String, _ related: String) -> [String] {
        let handles = link.handleType(related)
        return [
            "    let path: FlatCache.Relationship<\(type), \(link.kind(related))> = \(type).relationships.\(name); _ = path",
            "    let handles: \(handles) = value.cached(\\.\(name)); _ = (handles, value.cached(\\.\(name), in: .current))",
            "    let required: \(link.parameterType(related)) = try value.require(\\.\(name)); _ = required",
            "    let missing: [\(related).ID] = value.missing(\\.\(name)) + value.missing(\\.\(name), in: .current); _ = missing",
        ]
    }

    private func usageOfHandle(_ link: Link, _ name: String, _ type: String, _ related: String) -> [String] {
        let fetched = link.parameterType(related)
        return [
            "    let handle = FlatCache.Cached(\(type).self, id: value.id)",
            "    let handled: \(link.accessorType(related)) = handle.\(name); _ = (handled, handle.cached(\\.\(name)))",
            "    let refetched: \(fetched) = try await handle.fetch(\\.\(name)); try handle.set(\\.\(name), to: refetched)",
            "    let needed: \(fetched) = try handle.require(\\.\(name)); _ = (needed, handle.missing(\\.\(name)).count)",
        ]
    }
}

extension Link {
    /// Whether the rest of the target can set the property.
    var isAssignable: Bool { keyword != .constant && keyword != .privateSetter }
}
