/// A plain implementation of the rules of payloads, over JSON.
struct Reference {
    let models: [Model]
    let structures: [[Model.Property]]
    /// The stored entities of each model, by identifier.
    var stored: [[Int: [String: JSON]]]
    var problems = 0
    /// The incomplete entities of a document that aren't stored, which later ones complete.
    private var pending: [[Int: (values: [String: JSON], count: Int)]] = []

    init(_ models: [Model], _ structures: [[Model.Property]]) {
        self.models = models
        self.structures = structures
        stored = models.map { _ in [:] }
    }

    mutating func touch(_ value: Int) {
        for model in models.indices where models[model].hasLocal {
            stored[model] = stored[model].mapValues { $0.merging(["local": .int(value)]) { $1 } }
        }
    }

    mutating func store(_ elements: [JSON], of model: Int) {
        pending = models.map { _ in [:] }
        for element in elements { _ = store(element, of: model) }
    }

    /// Stores an entity, after its nested entities.
    ///
    /// - Returns: The identifier.
    private mutating func store(_ element: JSON, of number: Int) -> JSON {
        guard case .object(let members) = element else { return element }
        var properties = models[number].properties
        if case .text(let type)? = members["type"], let own = models[number].cases[type] { properties = own }
        var values = values(of: properties, in: members)
        var id = 0
        for property in properties {
            if case .id = property.kind, case .int(let own)? = values[property.key] { id = own }
        }
        let old = stored[number][id]
        var earlier = old == nil ? pending[number].removeValue(forKey: id) : nil
        // A whole entity is stored without parts of structures that it doesn't complete.
        if let parts = earlier?.values, completed(filled(values, from: parts, properties), properties) == nil,
            completed(values, properties) != nil
        {
            earlier = nil
        }
        values = filled(values, from: earlier?.values ?? [:], properties)
        if var whole = completed(filled(values, from: old ?? [:], properties), properties) {
            whole["local"] = old?["local"] ?? .int(0)
            stored[number][id] = whole
            problems -= earlier?.count ?? 0
        } else {
            problems += 1
            pending[number][id] = (values, (earlier?.count ?? 0) + 1)
        }
        return .int(id)
    }

    /// The values that are present, by the keys of their properties, after their nested entities are stored.
    private mutating func values(of properties: [Model.Property], in members: [String: JSON]) -> [String: JSON] {
        var values: [String: JSON] = [:]
        for property in properties {
            guard let value = Self.value(of: property, in: members) else { continue }
            values[property.key] = value
            switch (property.kind, value) {
            case (.one(let related, _), _): values[property.key] = store(value, of: related)
            case (.many(let related, _), .array(let elements)):
                values[property.key] = .array(elements.map { store($0, of: related) })
            case (.structure(let number), .object(let members)):
                values[property.key] = .object(self.values(of: structures[number], in: members))
            default: break
            }
        }
        return values
    }

    /// The value at the key of a property, or at the name of its accessor.
    private static func value(of property: Model.Property, in members: [String: JSON]) -> JSON? {
        if let value = members[property.key] { return value }
        switch property.kind {
        case .one(_, let accessor), .many(_, let accessor): return members[accessor]
        default: return nil
        }
    }

    /// Values with those of another object that they leave out, at every depth.
    private func filled(
        _ values: [String: JSON],
        from kept: [String: JSON],
        _ properties: [Model.Property]
    ) -> [String: JSON] {
        var filled = kept.merging(values) { $1 }
        for property in properties {
            guard case .object(let sent)? = values[property.key], case .object(let old)? = kept[property.key] else {
                continue
            }
            switch property.kind {
            case .structure(let number):
                filled[property.key] = .object(self.filled(sent, from: old, structures[number]))
            // A case has other members than another case.
            case .media:
                guard case .object(let photo)? = sent["photo"], case .object(let old)? = old["photo"] else { continue }
                filled[property.key] = .object(["photo": .object(old.merging(photo) { $1 })])
            default: break
            }
        }
        return filled
    }

    /// Values with null for each absent optional one, or `nil` if a required one is absent.
    private func completed(_ values: [String: JSON], _ properties: [Model.Property]) -> [String: JSON]? {
        var whole: [String: JSON] = [:]
        for property in properties {
            guard let value = values[property.key] ?? (property.isOptional ? .null : nil) else { return nil }
            whole[property.key] = value
            switch (property.kind, value) {
            case (.structure(let number), .object(let members)):
                guard let members = completed(members, structures[number]) else { return nil }
                whole[property.key] = .object(members)
            case (.media, .object(let members)):
                guard case .object(let photo)? = members["photo"] else { continue }
                whole[property.key] = .object(["photo": .object(["caption": .null].merging(photo) { $1 })])
            default: break
            }
        }
        return whole
    }
}
