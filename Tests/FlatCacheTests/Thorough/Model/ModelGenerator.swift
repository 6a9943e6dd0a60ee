import SeededRandom

/// Makes random sequences of operations; the same one for the same seed.
struct ModelGenerator {
    private var random: SeededGenerator
    private var scriptCount = 0
    private var depth = 0
    private var isInScript = false
    /// The keys that were used last, to be used again: what is interesting happens to one key.
    private var recentKeys: [ModelKey] = []

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    static func sequence(seed: UInt64, count: Int) -> [ModelOperation] {
        var generator = ModelGenerator(seed: seed)
        return (0..<count).map { _ in generator.operation() }
    }

    // MARK: Choices

    private typealias Choice = (weight: Int, make: @Sendable (inout ModelGenerator) -> ModelOperation)

    private static let writes: [Choice] = [
        (14, { .set($0.entity()) }),
        (5, { $0.setMany() }),
        (6, { .remove($0.key()) }),
        (1, { _ in .removeAll }),
        (2, { .removeAllOf($0.kind()) }),
        (3, { $0.writeHandle() }),
        (9, { .changeList($0.number() % 2, $0.listChange()) }),
        (4, { .changeName($0.number() % 2 + 2, $0.nameChange()) }),
    ]

    private static let reads: [Choice] = [
        (1, { _ in .getAll }),
        (3, { .get($0.key()) }),
        (2, { .getMany($0.kind(), $0.numbers()) }),
        (1, { .contains($0.key()) }),
        (1, { .missing($0.kind(), $0.numbers()) }),
        (1, { _ in .counts }),
        (2, { .allValues($0.kind()) }),
        (1, { .allKeys($0.kind()) }),
        (3, { .readHandle($0.number()) }),
    ]

    private static let holding: [Choice] = [
        (3, { .makeHandle($0.key()) }),
        (1, { .releaseHandle($0.number()) }),
        (3, { .cancel($0.number()) }),
        (2, { .releaseSubscription($0.number()) }),
        (2, { .iterateValues($0.key()) }),
        (2, { .iterateChanges($0.keys()) }),
        (2, { .iterateDerived($0.expression()) }),
        (6, { .next($0.number()) }),
        (1, { .releaseIterator($0.number()) }),
    ]

    private static let nesting: [Choice] = [
        (12, { .update($0.update()) }),
        (6, { .observe($0.key(), $0.script()) }),
        (5, { .observeMany($0.keys(), $0.script()) }),
        (2, { .observeHandle($0.number(), $0.script()) }),
        (9, { .observeDerived($0.expression(), $0.script()) }),
        (9, { .transaction($0.transactionBody()) }),
        (6, { .read($0.readBody()) }),
        (2, { .elsewhere($0.inner()) }),
    ]

    /// Choices, each as often in the list as it weighs.
    private static let simple = weighed(writes + reads + holding)
    private static let all = simple + weighed(nesting)

    private static func weighed(_ choices: [Choice]) -> [Choice] {
        choices.flatMap { Array(repeating: $0, count: $0.weight) }
    }

    private mutating func operation() -> ModelOperation {
        if depth > 0 && chance(20) { return .fail }
        if isInScript && chance(12) { return .cancelSelf }
        let choices = depth < 3 ? Self.all : Self.simple
        return choices.randomElement(using: &random)?.make(&self) ?? .counts
    }

    // MARK: Parts of operations

    /// Returns true once in so many times.
    private mutating func chance(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

    private mutating func number() -> Int { Int.random(in: 0..<100, using: &random) }

    private mutating func kind() -> ModelKind {
        if chance(3), let key = recentKeys.randomElement(using: &random) { return key.kind }
        return ModelKind.entities.randomElement(using: &random) ?? .post
    }

    private mutating func entityNumber() -> Int { Int.random(in: ModelKind.numbers, using: &random) }

    private mutating func numbers() -> [Int] {
        (0..<Int.random(in: 0...5, using: &random)).map { _ in entityNumber() }
    }

    private mutating func key() -> ModelKey {
        if chance(2), let key = recentKeys.randomElement(using: &random) { return key }
        return use(ModelKey(kind(), entityNumber()))
    }

    private mutating func use(_ key: ModelKey) -> ModelKey {
        recentKeys = recentKeys.suffix(2) + [key]
        return key
    }

    private mutating func keys() -> [ModelKey] {
        (0..<Int.random(in: 0...6, using: &random)).map { _ in key() }
    }

    private mutating func entity(of kind: ModelKind? = nil) -> ModelEntity {
        let key = kind.map { use(ModelKey($0, entityNumber())) } ?? self.key()
        return ModelEntity(key: key, content: Int.random(in: 0..<3, using: &random))
    }

    private mutating func setMany() -> ModelOperation {
        let kind = kind()
        return .setMany(kind, numbers().map { _ in entity(of: kind) })
    }

    private mutating func writeHandle() -> ModelOperation {
        .writeHandle(
            number(),
            content: chance(3) ? nil : Int.random(in: 0..<3, using: &random),
            number: chance(4) ? entityNumber() : nil
        )
    }

    private mutating func listChange() -> ModelListChange {
        switch Int.random(in: 0..<12, using: &random) {
        case 0: .replace(numbers().map { _ in entity(of: .post) })
        case 1: .replaceIDs(numbers())
        case 2, 3: .append(numbers().map { _ in entity(of: .post) })
        case 4: .appendIDs(numbers())
        case 5: .prepend(numbers().map { _ in entity(of: .post) })
        case 6: .prependIDs(numbers())
        case 7, 8: .move(entityNumber(), before: chance(3) ? nil : entityNumber())
        case 9: .remove(entityNumber())
        case 10: .reverse(thenAppend: entityNumber())
        default: .removeAll
        }
    }

    private mutating func nameChange() -> ModelNameChange {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: .id(chance(3) ? nil : entityNumber())
        case 1: .id(nil)
        default: .value(entity(of: .post))
        }
    }

    private mutating func expression() -> ModelExpression {
        switch Int.random(in: 0..<10, using: &random) {
        case 0: .all(kind())
        case 1: .count(kind())
        case 2, 3: .list(number() % 2)
        case 4: .name(number() % 2 + 2)
        case 5: .many(keys())
        default: .chain(key(), (0..<Int.random(in: 1...3, using: &random)).map { _ in kind() })
        }
    }

    private mutating func update() -> ModelUpdate {
        let kind = kind()
        return ModelUpdate(
            target: chance(3) ? .handle(number()) : .key(key()),
            related: chance(2) ? nil : (kind, numbers().map { _ in entity(of: kind) }),
            body: chance(2) ? ModelBody(operations: [], catches: true) : body(),
            change: change()
        )
    }

    private mutating func change() -> ModelUpdate.Change {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: .keep
        case 1, 2: .move(entityNumber())
        case 3, 4: .replace(Int.random(in: 0..<3, using: &random))
        default: .increment
        }
    }

    private mutating func body() -> ModelBody {
        ModelBody(operations: inner(), catches: chance(2))
    }

    /// A body that compares at its end whether it has read one state.
    private mutating func readBody() -> ModelBody {
        var body = body()
        body.operations.append(.getAll)
        return body
    }

    /// A body that is sometimes out of date when it ends: a callback writes what the transaction has read before.
    private mutating func transactionBody() -> ModelBody {
        var body = body()
        if chance(6) {
            let key = key()
            scriptCount += 1
            let write: ModelOperation =
                chance(3) ? .remove(key) : .set(ModelEntity(key: key, content: Int.random(in: 0..<3, using: &random)))
            let script = ModelScript(number: scriptCount, firstCall: 0, operations: [write])
            body.operations += [.get(key), .observe(self.key(), script)]
            if chance(2) { body.operations.append(.makeHandle(key)) }
            body.operations.append(.set(entity()))
        }
        return body
    }

    private mutating func script() -> ModelScript {
        scriptCount += 1
        let number = scriptCount
        guard chance(2) else { return ModelScript(number: number, firstCall: 0, operations: []) }
        let outer = isInScript
        isInScript = true
        defer { isInScript = outer }
        return ModelScript(number: number, firstCall: Int.random(in: 0..<3, using: &random), operations: inner())
    }

    /// A few operations inside of another, fewer the deeper it is.
    private mutating func inner() -> [ModelOperation] {
        depth += 1
        defer { depth -= 1 }
        return (0..<Int.random(in: 0...(8 - 2 * depth), using: &random)).map { _ in operation() }
    }
}
