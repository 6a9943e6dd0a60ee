/// Leaves out of a target what isn't needed for it to fail.
struct Shrinker {
    /// Whether a target still fails.
    var fails: (Sketch) -> Bool
    /// How often to ask that, at most.
    var attempts = 60

    mutating func shrink(_ sketch: Sketch) -> Sketch {
        var smallest = sketch
        var hasShrunk = true
        while hasShrunk, attempts > 0 {
            hasShrunk = false
            for candidate in smallest.smaller() {
                // What follows in the list was made of what was there before.
                guard attempts > 0 else { break }
                attempts -= 1
                guard fails(candidate) else { continue }
                smallest = candidate
                hasShrunk = true
                break
            }
        }
        return smallest
    }
}

extension Sketch {
    /// Targets with a little less in them, those with much less first.
    fileprivate func smaller() -> [Sketch] {
        var smaller: [Sketch] = []
        let left = models.indices.filter { !models[$0].isLeftOut }
        if left.count > 2 {
            smaller.append(without(Set(left.prefix(left.count / 2))))
            smaller.append(without(Set(left.suffix(left.count / 2))))
        }
        if left.count > 1 { smaller += left.map { without([$0]) } }
        if models.contains(where: { !$0.noise.isEmpty }) {
            var quiet = self
            for index in quiet.models.indices { (quiet.models[index].noise, quiet.models[index].before) = ([], "") }
            smaller.append(quiet)
        }
        for index in cases.indices {
            var copy = self
            copy.cases.remove(at: index)
            smaller.append(copy)
        }
        for index in left {
            for link in models[index].links.indices {
                var copy = self
                copy.models[index].links.remove(at: link)
                copy.models[index].decoding?.keys.remove(at: link)
                copy.removeDanglingInverses()
                smaller.append(copy)
            }
        }
        return smaller
    }

    /// The target without models, and without the properties that refer to them.
    private func without(_ leftOut: Set<Int>) -> Sketch {
        var copy = self
        for index in leftOut {
            if index == mistake?.model { continue }
            copy.models[index].isLeftOut = true
            copy.cases.removeAll { $0.target == index }
            for owner in copy.models.indices {
                for link in copy.models[owner].links.indices.reversed()
                where copy.models[owner].links[link].target == index {
                    copy.models[owner].links.remove(at: link)
                    copy.models[owner].decoding?.keys.remove(at: link)
                }
            }
        }
        copy.removeDanglingInverses()
        return copy
    }
}
