extension ModelOperation {
    /// Operations like this one with a little less to read in them.
    var simpler: [ModelOperation] {
        smallerNumbers + shorterLists
    }

    /// A small number means the same handle when there are fewer of them.
    private var smallerNumbers: [ModelOperation] {
        guard let number else { return [] }
        return (0..<min(number, 8)).map { smaller in
            var copy = self
            copy.number = smaller
            return copy
        }
    }

    private var shorterLists: [ModelOperation] {
        switch self {
        case .setMany(let kind, let entities): Self.shorter(entities).map { .setMany(kind, $0) }
        case .getMany(let kind, let numbers): Self.shorter(numbers).map { .getMany(kind, $0) }
        case .missing(let kind, let numbers): Self.shorter(numbers).map { .missing(kind, $0) }
        case .observeMany(let keys, let script): Self.shorter(keys).map { .observeMany($0, script) }
        case .iterateChanges(let keys): Self.shorter(keys).map { .iterateChanges($0) }
        case .update(let update): update.storingLess.map { .update($0) }
        default: []
        }
    }

    /// The lists in which one element of a list is missing.
    fileprivate static func shorter<Element>(_ elements: [Element]) -> [[Element]] {
        elements.indices.map { index in
            var copy = elements
            copy.remove(at: index)
            return copy
        }
    }
}

extension ModelUpdate {
    fileprivate var storingLess: [ModelUpdate] {
        guard let related else { return [] }
        var withoutRelated = self
        withoutRelated.related = nil
        return [withoutRelated]
            + ModelOperation.shorter(related.entities).map { entities in
                var copy = self
                copy.related = (related.kind, entities)
                return copy
            }
    }
}
