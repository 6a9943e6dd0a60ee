/// Random documents of random models.
struct Documents {
    let models: [Model]
    let structures: [[Model.Property]]
    var numbers: Numbers

    /// An array of entities of a model.
    mutating func array(of model: Int) -> [JSON] {
        (0..<numbers.below(6)).map { _ in entity(of: model, depth: 0) }
    }

    private mutating func entity(of number: Int, depth: Int) -> JSON {
        let model = models[number]
        if model.cases.isEmpty { return .object(members(of: model.properties, depth: depth)) }
        // An identifier has the same case always.
        let id = numbers.below(5)
        let type = id < 3 ? "person" : "team"
        let members = members(of: model.cases[type] ?? [], depth: depth)
        return .object(members.merging(["type": .text(type), "id": .int(id)]) { $1 })
    }

    private mutating func members(of properties: [Model.Property], depth: Int) -> [String: JSON] {
        var members: [String: JSON] = [:]
        let leavesOut = [0, 2, 4][numbers.below(3)]
        for property in properties {
            if case .id = property.kind {
                members[property.key] = .int(numbers.below(5))
                continue
            }
            if leavesOut > 0, numbers.below(leavesOut + 1) == 0 { continue }
            var key = property.key
            switch property.kind {
            case .one(_, let accessor), .many(_, let accessor): if numbers.below(2) == 0 { key = accessor }
            default: break
            }
            members[key] = property.isOptional && numbers.below(4) == 0 ? .null : value(of: property.kind, depth: depth)
        }
        return members
    }

    private mutating func value(of kind: Model.Kind, depth: Int) -> JSON {
        switch kind {
        case .id, .int: .int(numbers.below(100))
        case .bool: .bool(numbers.below(2) == 0)
        case .text: .text("t\(numbers.below(100))")
        case .texts: .array((0..<numbers.below(3)).map { .text("\($0)") })
        case .mood: .text(Mood.allCases[numbers.below(2)].rawValue)
        case .structure(let number): .object(members(of: structures[number], depth: depth))
        case .media:
            switch numbers.below(3) {
            case 0: .object(["text": .object(["_0": .text("t\(numbers.below(9))")])])
            case 1: .object(["photo": .object(["url": .text("u\(numbers.below(9))")])])
            default: .object(["photo": .object(["url": .text("u"), "caption": .text("c\(numbers.below(9))")])])
            }
        case .counts: .object(["a": .int(numbers.below(9))])
        case .one(let model, _): related(model, depth)
        case .many(let model, _): .array((0..<numbers.below(4)).map { _ in related(model, depth) })
        }
    }

    private mutating func related(_ number: Int, _ depth: Int) -> JSON {
        depth < 3 && numbers.below(2) == 0 ? entity(of: number, depth: depth + 1) : .int(numbers.below(5))
    }
}

/// Random numbers from a seed.
struct Numbers {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func below(_ bound: Int) -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int(state >> 33) % bound
    }
}
