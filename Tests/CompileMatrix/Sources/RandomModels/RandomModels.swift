import Foundation
import SeededRandom

/// Generates random targets, valid ones and such with one mistake, and checks what the generator and the compiler make of
/// them.
@main
enum RandomModels {
    static func main() async throws {
        let settings = try Settings()
        print("seed \(settings.seed)")
        let runs = await run(settings)
        let failures = runs.reduce(0) { $0 + $1.failures }
        let targets = runs.reduce(0) { $0 + $1.targets }
        let relationships = runs.reduce(0) { $0 + $1.relationships }
        let programs = runs.reduce(0) { $0 + $1.programs }
        let mistakes = runs.reduce(0) { $0 + $1.mistakes }
        print("\(programs) programs with \(programs * settings.documents) documents")
        print(
            "\(targets) targets with \(relationships) relationships, and \(mistakes) with a mistake: \(failures) failures"
        )
        if failures > 0 || targets == 0 { exit(1) }
    }

    /// Looks at targets on both cores until the time is over.
    private static func run(_ settings: Settings) async -> [Run] {
        let workers = settings.only == nil ? 2 : 1
        return await withTaskGroup(of: Run.self) { group in
            for worker in 0..<workers {
                group.addTask {
                    var run = Run(settings: settings)
                    if let only = settings.only {
                        run.checkPayloads(only)
                        run.look(at: only)
                        return run
                    }
                    var number = UInt64(worker)
                    while Date() < settings.end, run.failures < 5 {
                        // A program takes as long as several targets.
                        if number.isMultiple(of: 8) { run.checkPayloads(settings.seed &+ number) }
                        run.look(at: settings.seed &+ number)
                        number += UInt64(workers)
                    }
                    return run
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }
}

/// What one of the workers has done.
struct Run: Sendable {
    let settings: Settings
    var targets = 0
    var relationships = 0
    var mistakes = 0
    var programs = 0
    var failures = 0

    init(settings: Settings) { self.settings = settings }

    /// Makes a target from a seed, and several of it that have a mistake.
    mutating func look(at seed: UInt64) {
        var numbers = SeededGenerator(seed: seed)
        let sketch = SketchMaker.sketch(&numbers)
        targets += 1
        relationships += sketch.models.reduce(0) { $0 + $1.links.count }
        let compiler = settings.compiler
        let verdict = sketch.verdict(compiler)
        report(verdict, of: sketch, seed) { $0.verdict(compiler) }
        // A false error would be reported again with each mistake.
        guard case .fine = verdict else { return }
        for _ in 0..<20 {
            var mistaken = sketch
            mistaken.mistake = PlacedMistake.random(in: sketch, &numbers)
            guard mistaken.mistake != nil else { continue }
            mistakes += 1
            report(mistaken.verdictOnMistake(compiler.template), of: mistaken, seed) {
                $0.verdictOnMistake(compiler.template)
            }
        }
    }

    /// Makes decodable models from a seed, and decodes random documents of them.
    mutating func checkPayloads(_ seed: UInt64) {
        var numbers = SeededGenerator(seed: ~seed)
        let sketch = PayloadSketch(&numbers)
        programs += 1
        guard
            case .wrong(let message, let files) = sketch.verdict(
                settings.compiler,
                settings.program,
                documents: settings.documents
            )
        else { return }
        failures += 1
        let place = settings.failures.appendingPathComponent("\(seed)-payloads")
        try? Compiler.write(files + settings.program, to: place)
        print(
            "\n== payloads of seed \(seed); run it alone by FLATCACHE_MODELS_ONLY=\(seed); all files are in \(place.path)\n\(message)\n"
                + "\(files[0].text)"
        )
    }

    /// Prints a failure with the smallest target that has one.
    private mutating func report(_ verdict: Verdict, of sketch: Sketch, _ seed: UInt64, _ judge: (Sketch) -> Verdict) {
        guard case .wrong = verdict else { return }
        failures += 1
        withoutActuallyEscaping(judge) { judge in
            var shrinker = Shrinker { sketch in if case .wrong = judge(sketch) { true } else { false } }
            let smallest = shrinker.shrink(sketch)
            guard case .wrong(let message, let files) = judge(smallest) else {
                print("seed \(seed) failed once, and not again")
                return
            }
            let place = settings.failures.appendingPathComponent("\(seed)-\(failures)")
            try? Compiler.write(files, to: place)
            let sources = files.filter { $0.name.hasPrefix("File") }.map { "--- \($0.name)\n\($0.text)" }.joined()
            print(
                "\n== seed \(seed); run it alone by FLATCACHE_MODELS_ONLY=\(seed); all files are in \(place.path)\n\(message)\n"
                    + "options: \(smallest.mode.options.joined(separator: " "))\n\(sources)"
            )
        }
    }
}
