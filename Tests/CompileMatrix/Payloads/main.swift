import FlatCache
import Foundation

// Stores random documents of random models as payloads, and compares the cache with a plain implementation of the rules.

extension JSON {
    /// The keys as a server with snake case sends them.
    var inSnakeCase: JSON {
        switch self {
        case .array(let values): .array(values.map(\.inSnakeCase))
        case .object(let members):
            .object(Dictionary(uniqueKeysWithValues: members.map { (snake($0), $1.inSnakeCase) }))
        default: self
        }
    }

    private func snake(_ key: String) -> String {
        let key = key.replacingOccurrences(of: "ID", with: "Id")
        return String(key.flatMap { $0.isUppercase ? "_" + $0.lowercased() : String($0) })
    }
}

let everyModel = models + [Choice.model(structures.count)]
let everyStructure = structures + [Choice.place]
_ = try JSONDecoder().decode(Payload<[Choice]>.self, from: Data(Choice.wholeText.utf8))

let documents = Int(CommandLine.arguments.dropFirst().first ?? "") ?? 1_000
let only = CommandLine.arguments.count > 2 ? UInt64(CommandLine.arguments[2]) : nil
for seed in only.map({ $0...$0 }) ?? 1...UInt64(documents) {
    var random = Documents(models: everyModel, structures: everyStructure, numbers: Numbers(seed: seed))
    var reference = Reference(everyModel, everyStructure)
    let cache = FlatCache()
    for round in 0..<6 {
        let model = random.numbers.below(everyModel.count)
        var elements = random.array(of: model)
        let roots: [Model.Root] = elements.isEmpty ? [.array] : Model.Root.allCases
        let root = roots[random.numbers.below(roots.count)]
        if root == .entity { elements = [elements[0]] }
        let decoder = JSONDecoder()
        var text: JSON =
            switch root {
            case .array: .array(elements)
            case .entity: elements[0]
            case .page: .object(["items": .array(elements.dropLast()), "last": elements[elements.count - 1]])
            }
        if random.numbers.below(2) == 0 {
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            text = text.inSnakeCase
        }
        reference.problems = 0
        reference.store(elements, of: model)
        let problems = try everyModel[model].store(Data(text.text.utf8), root, decoder, cache)
        let stored = everyModel.map { $0.snapshots(cache) }
        if stored != reference.stored || problems.count != reference.problems {
            print("document \(seed), round \(round), \(everyModel[model].name): \(text.text)")
            for (model, (own, expected)) in zip(everyModel, zip(stored, reference.stored)) {
                for id in Set(own.keys).union(expected.keys) where own[id] != expected[id] {
                    print("\(model.name) \(id) is \(own[id].map { JSON.object($0).text } ?? "not stored")")
                    print("expected \(expected[id].map { JSON.object($0).text } ?? "not stored")")
                }
            }
            print("\(reference.problems) problems expected: \(problems)")
            exit(1)
        }
        if random.numbers.below(3) == 0 {
            let value = random.numbers.below(100)
            reference.touch(value)
            for model in everyModel { model.touch(cache, value) }
        }
    }
}
