import SeededRandom

/// Relationships that lead back.
extension Sketch {
    /// Lets some annotations name the inverses of their relationships, on one side or on both.
    mutating func addInverses(_ numbers: inout SeededGenerator) {
        var paired: Set<[Int]> = []
        for owner in models.indices {
            for link in models[owner].links.indices where !paired.contains([owner, link]) && numbers.once(in: 2) {
                let target = models[owner].links[link].target
                let candidates = models[target].links.indices.filter {
                    models[target].links[$0].target == owner && !paired.contains([target, $0])
                }
                guard !candidates.isEmpty else { continue }
                let other = numbers.pick(from: candidates)
                paired.formUnion([[owner, link], [target, other]])
                models[owner].links[link].inverse = models[target].links[other].property
                if numbers.once(in: 2) { models[target].links[other].inverse = models[owner].links[link].property }
            }
        }
    }

    /// Removes the inverses of which the relationship has been left out.
    mutating func removeDanglingInverses() {
        for owner in models.indices {
            for link in models[owner].links.indices {
                let target = models[models[owner].links[link].target]
                guard let inverse = models[owner].links[link].inverse else { continue }
                if target.isLeftOut || !target.links.contains(where: { $0.property == inverse && $0.target == owner }) {
                    models[owner].links[link].inverse = nil
                }
            }
        }
    }
}
