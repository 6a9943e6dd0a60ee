import SeededRandom

/// A mistake with the place where it is made.
struct PlacedMistake {
    var mistake: Mistake
    /// The model whose member it is, or `nil` at the top level of a file.
    var model: Int?
    var file: Int

    var lines: [String] { [mistake.text] }

    /// Makes a mistake somewhere in a target.
    static func random(in sketch: Sketch, _ numbers: inout SeededGenerator) -> PlacedMistake? {
        let mistake = numbers.pick(from: Mistake.all)
        let models = sketch.models.indices.filter { sketch.models[$0].isEntity && sketch.models[$0].generics == nil }
        if mistake.place == .topLevel {
            return PlacedMistake(mistake: mistake, model: nil, file: numbers.below(sketch.files.count))
        }
        return models.isEmpty ? nil : PlacedMistake(mistake: mistake, model: numbers.pick(from: models), file: 0)
    }
}
