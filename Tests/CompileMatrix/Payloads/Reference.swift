/// A plain implementation of the rules of payloads, over JSON.
struct Reference {
    let models: [Model]
    /// The stored entities of each model, by identifier.
    var stored: [[Int: [String: JSON]]]
    var problems = 0
    /// The incomplete entities of a document that aren't stored, which later ones complete.
    private var pending: [[Int: (values: [String: JSON], count: Int)]] = []

    init(_ models: [Model]) {
        self.models = models
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
        let model = models[number]
        var values: [String: JSON] = [:]
        var isComplete = true
        var id = 0
        for property in model.properties {
            guard var value = Self.value(of: property, in: members) else { continue }
            switch property.kind {
            case .id: if case .int(let own) = value { id = own }
            case .one(let related, _): value = store(value, of: related)
            case .many(let related, _):
                if case .array(let elements) = value { value = .array(elements.map { store($0, of: related) }) }
            default: break
            }
            values[property.key] = value
        }
        let old = stored[number][id]
        let earlier = old == nil ? pending[number].removeValue(forKey: id) : nil
        values = (earlier?.values ?? [:]).merging(values) { $1.filled(from: $0) }
        let own = values
        for property in model.properties {
            if let value = values[property.key] {
                guard case .point = property.kind, case .object(let point) = value.filled(from: old?[property.key])
                else { continue }
                values[property.key] = .object(["y": .null].merging(point) { $1 })
            } else if let kept = old?[property.key] {
                values[property.key] = kept
            } else if property.isOptional {
                values[property.key] = .null
            } else {
                isComplete = false
            }
        }
        values["local"] = old?["local"] ?? .int(0)
        if isComplete {
            stored[number][id] = values
            problems -= earlier?.count ?? 0
        } else {
            problems += 1
            pending[number][id] = (own, (earlier?.count ?? 0) + 1)
        }
        return .int(id)
    }

    /// The value at the key of a property, or at the name of its accessor.
    private static func value(of property: Model.Property, in members: [String: JSON]) -> JSON? {
        if let value = members[property.key] { return value }
        switch property.kind {
        case .one(_, let accessor), .many(_, let accessor): return members[accessor]
        default: return nil
        }
    }
}

extension JSON {
    /// The value with the members of another object that it leaves out.
    fileprivate func filled(from kept: JSON?) -> JSON {
        guard case .object(let members) = self, case .object(let kept)? = kept else { return self }
        return .object(kept.merging(members) { $1 })
    }
}
