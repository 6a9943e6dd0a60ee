import FlatCache

/// As many types of entities as there are pairs of pairs of ten names.
enum ManyTypes {
    protocol Name: Sendable {}
    private enum Name0: Name {}
    private enum Name1: Name {}
    private enum Name2: Name {}
    private enum Name3: Name {}
    private enum Name4: Name {}
    private enum Name5: Name {}
    private enum Name6: Name {}
    private enum Name7: Name {}
    private enum Name8: Name {}
    private enum Name9: Name {}
    private enum Pair<One: Name, Other: Name>: Name {}

    private struct Named<Kind: Name>: Cachable {
        let id: Int
    }

    /// 10,000 types.
    static var all: [any Name.Type] {
        func pair<One: Name, Other: Name>(_: One.Type, _: Other.Type) -> any Name.Type { Pair<One, Other>.self }
        var names: [any Name.Type] = [
            Name0.self, Name1.self, Name2.self, Name3.self, Name4.self, Name5.self, Name6.self, Name7.self, Name8.self,
            Name9.self,
        ]
        for _ in 0..<2 { names = names.flatMap { one in names.map { other in pair(one, other) } } }
        return names
    }

    /// Stores an entity of each type.
    static func store(_ kinds: [any Name.Type], in cache: FlatCache) {
        func store<Kind: Name>(_: Kind.Type) { cache.set(Named<Kind>(id: 1)) }
        for kind in kinds { store(kind) }
    }
}
