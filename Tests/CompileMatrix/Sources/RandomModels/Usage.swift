extension Sketch {
    /// A file that uses every accessor that the annotations should give, with its type written.
    func usage() -> String {
        var lines = ["\(Self.usageImport)import FlatCache"]
        for owner in models.indices where !models[owner].isLeftOut {
            for (number, link) in models[owner].links.enumerated() {
                let conditions = [models[owner].condition, link.condition].compactMap { $0 }
                lines += conditions.flatMap(\.opening)
                lines += usage(of: link, number, by: owner)
                lines += usageOfBacklink(link, number, by: owner)
                lines += conditions.reversed().flatMap(\.closing)
            }
        }
        for owner in models.indices where models[owner].decoding != nil && !models[owner].isLeftOut {
            lines += models[owner].condition?.opening ?? []
            lines += usageOfKeys(of: owner)
            lines += models[owner].condition?.closing ?? []
        }
        for owner in models.indices where models[owner].isEntity && !models[owner].isLeftOut {
            lines += models[owner].condition?.opening ?? []
            lines += usageOfDeleteRules(of: owner)
            lines += models[owner].condition?.closing ?? []
        }
        for link in cases { lines += usage(of: link) }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The use of the accessors of a case.
    private func usage(of link: CaseLink) -> [String] {
        let related = qualifiedName(of: link.target)
        let one = "\(related).self"
        let fetched = ["\(related)", "[\(related)]", "[\(related)]", "[\(related)]", "[Text: \(related)]"]
        let type = fetched[link.containerIndex] + "?"
        let capital = Words.capitalized(link.accessor)
        let assigned = link.container == .nested ? "[fetched]" : "fetched"
        return (link.condition?.opening ?? []) + [
            "func use\(capital)(_ value: Holder) async throws {",
            "    let current: \(type) = value.\(link.accessor); let other: \(type) = value.\(link.accessor)(in: .current)",
            "    let found: \(type) = try await value.fetch\(capital)(); _ = (current, other, \(one))",
            "    var copy = value; if let fetched = found { copy.set\(capital)(\(assigned)) }",
            "    let required: \(type) = try value.require(\\.\(link.accessor)); _ = (required, value.cached(\\.\(link.accessor)))",
            "    try await FlatCache.current.prefetch(\\.\(link.accessor), for: [value, copy])",
            "    if case .\(link.name)(let held) = copy { _ = Holder.\(link.name)(held).\(link.accessor) }",
            "}",
        ] + (link.condition?.closing ?? [])
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
            lines.append("    var copy = value; copy.set\(capital)(\(link.assigned("fetched")))")
            if link.container != .none, link.container != .nested { lines.append("    copy.\(name) = fetched") }
            if link.container == .none && link.isOptional { lines.append("    copy.\(name) = nil") }
        } else {
            lines.append("    try value.set\(capital)(\(link.assigned("fetched")), in: .current)")
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
            "    let missing: \(link.missingType(related)) = value.missing(\\.\(name)); _ = (missing, value.missing(\\.\(name), in: .current))",
        ]
    }

    private func usageOfHandle(_ link: Link, _ name: String, _ type: String, _ related: String) -> [String] {
        let fetched = link.parameterType(related)
        return [
            "    let handle = FlatCache.Cached(\(type).self, id: value.id)",
            "    let handled: \(link.accessorType(related)) = handle.\(name); _ = (handled, handle.cached(\\.\(name)))",
            "    let refetched: \(fetched) = try await handle.fetch(\\.\(name)); try handle.set(\\.\(name), to: \(link.assigned("refetched")))",
            "    let needed: \(fetched) = try handle.require(\\.\(name)); _ = (needed, handle.missing(\\.\(name)).count)",
        ]
    }
}

extension Link {
    /// Whether the rest of the target can set the property.
    var isAssignable: Bool { keyword != .constant && keyword != .privateSetter }
}

extension CaseLink {
    var containerIndex: Int { Link.Container.allCases.firstIndex(of: container) ?? 0 }
}
