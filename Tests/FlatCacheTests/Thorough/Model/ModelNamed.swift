@testable import FlatCache

/// Lists and names as the model knows them: the content of a list is one number for its order, that of a name is the
/// number of what it names.
enum ModelNamed {
    static func isList(_ number: Int) -> Bool { number < 2 }

    /// The number for an order; an empty list is like one that isn't there.
    static func content(of numbers: [Int]) -> Int? {
        numbers.isEmpty ? nil : numbers.reversed().reduce(0) { $0 * 5 + $1 + 1 }
    }

    /// The order for a number.
    static func numbers(of content: Int?) -> [Int] {
        var rest = content ?? 0
        var numbers: [Int] = []
        while rest > 0 {
            numbers.append(rest % 5 - 1)
            rest /= 5
        }
        return numbers
    }
}

extension ListContents<Post>: ModelledEntity {
    static let kind = ModelKind.named
    static let ids = ModelKind.numbers.map { "\($0)" }

    static func make(number: Int, content: Int) -> ListContents<Post> {
        var list = ListContents<Post>(name: ids[number])
        list.append(ModelNamed.numbers(of: content).map { Post.ids[$0] })
        return list
    }

    var content: Int { ModelNamed.content(of: order.compactMap { Post.key(of: $0)?.number }) ?? 0 }
}

extension ModelSubject {
    func list(_ number: Int) -> CachedList<Post> { cache.list("\(number)") }

    func name(_ number: Int) -> CachedReference<Post> { cache.reference("\(number)") }

    /// The content of a list or name.
    func named(_ number: Int) -> Int? {
        guard ModelNamed.isList(number) else { return name(number).id.flatMap { Post.key(of: $0)?.number } }
        return ModelNamed.content(of: list(number).ids.compactMap { Post.key(of: $0)?.number })
    }
}

/// A change of a list.
enum ModelListChange: Sendable {
    case replace([ModelEntity])
    case replaceIDs([Int])
    case append([ModelEntity])
    case appendIDs([Int])
    case prepend([ModelEntity])
    case prependIDs([Int])
    case move(Int, before: Int?)
    case remove(Int)
    case reverse(thenAppend: Int)
    case removeAll

    /// The entities that are stored with it.
    var entities: [ModelEntity] {
        switch self {
        case .replace(let entities), .append(let entities), .prepend(let entities): entities
        default: []
        }
    }

    /// Whether it may write the order that is there: pages do so, and an empty list may be stored or not.
    var mayWriteEqual: Bool {
        switch self {
        case .replace, .append, .prepend, .removeAll: true
        default: false
        }
    }

    /// Makes the change in the cache.
    ///
    /// - Returns: What the method returns, if that is whether something was there.
    func apply(to list: CachedList<Post>) -> Bool? {
        switch self {
        case .replace(let entities): list.replace(with: entities.map(Post.make))
        case .replaceIDs(let numbers): list.replace(withIDs: numbers.map { Post.ids[$0] })
        case .append(let entities): list.append(contentsOf: entities.map(Post.make))
        case .appendIDs(let numbers): list.append(ids: numbers.map { Post.ids[$0] })
        case .prepend(let entities): list.prepend(contentsOf: entities.map(Post.make))
        case .prependIDs(let numbers): list.prepend(ids: numbers.map { Post.ids[$0] })
        case .move(let number, let other): return list.move(Post.ids[number], before: other.map { Post.ids[$0] })
        case .remove(let number): return list.remove(Post.ids[number])
        case .reverse(let number):
            list.update { ids in
                ids.reverse()
                ids.append(Post.ids[number])
            }
        case .removeAll: list.removeAll()
        }
        return nil
    }

    /// Makes the change in the model.
    ///
    /// - Returns: The order then, and whether something was there.
    func apply(to order: [Int]) -> (order: [Int], result: Bool?) {
        switch self {
        case .replace(let entities): (Self.once(entities.map(\.key.number)), nil)
        case .replaceIDs(let numbers): (Self.once(numbers), nil)
        case .append(let entities): (Self.once(order + entities.map(\.key.number)), nil)
        case .appendIDs(let numbers): (Self.once(order + numbers), nil)
        case .prepend(let entities): (Self.prepend(entities.map(\.key.number), to: order), nil)
        case .prependIDs(let numbers): (Self.prepend(numbers, to: order), nil)
        case .move(let number, let other): Self.move(number, before: other, in: order)
        case .remove(let number): (order.filter { $0 != number }, order.contains(number))
        case .reverse(let number): (Self.once(order.reversed() + [number]), nil)
        case .removeAll: ([], nil)
        }
    }

    private static func once(_ numbers: [Int]) -> [Int] {
        numbers.enumerated().filter { numbers.firstIndex(of: $0.element) == $0.offset }.map(\.element)
    }

    private static func prepend(_ numbers: [Int], to order: [Int]) -> [Int] {
        once(numbers).filter { !order.contains($0) } + order
    }

    private static func move(_ number: Int, before other: Int?, in order: [Int]) -> ([Int], Bool?) {
        guard order.contains(number), other.map(order.contains) ?? true else { return (order, false) }
        if number == other { return (order, true) }
        let rest = order.filter { $0 != number }
        let place = other.flatMap { rest.firstIndex(of: $0) } ?? rest.count
        return (Array(rest[..<place]) + [number] + rest[place...], true)
    }
}

/// A change of a name.
enum ModelNameChange: Sendable {
    case id(Int?)
    case value(ModelEntity)

    /// What is named then.
    var target: Int? {
        switch self {
        case .id(let number): number
        case .value(let entity): entity.key.number
        }
    }

    /// What is stored with it.
    var entity: ModelEntity? {
        if case .value(let entity) = self { entity } else { nil }
    }

    func apply(to name: CachedReference<Post>) {
        switch self {
        case .id(let number): name.id = number.map { Post.ids[$0] }
        case .value(let entity): name.set(Post.make(entity))
        }
    }
}
