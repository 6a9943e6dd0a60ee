import RelationshipGenerator
import RelationshipTemplates

/// A target as the command line names it: with the paths of its sources, and that of its own template.
struct TargetSources {
    var target: String
    var paths: [String] = []
    /// The path of a template to render instead of the one of the tool.
    var template: String?

    /// What turns the sources into accessors.
    ///
    /// - Parameter name: What to call the template in messages.
    func generator(naming name: (String) -> String = { $0 }) throws(CommandError) -> RelationshipGenerator {
        guard let template else { return RelationshipGenerator(target: target, template: Templates.relationships) }
        return RelationshipGenerator(
            target: target,
            template: try File.read(template),
            templatePath: name(template),
            partials: Templates.all
        )
    }

    /// Reads the sources, each once however often it is named.
    ///
    /// - Parameter name: What to call a source in messages.
    /// - Throws: All that can't be read.
    func read(naming name: (String) -> String = { $0 }) throws(CommandError) -> [RelationshipGenerator.Source] {
        var seen: Set<String> = []
        var read: [RelationshipGenerator.Source] = []
        var errors: [String] = []
        for path in paths where seen.insert(path).inserted {
            do throws(CommandError) {
                guard path.hasSuffix(".swift") else { throw .file(path, "this is not a Swift file") }
                read.append(RelationshipGenerator.Source(path: name(path), text: try File.read(path)))
            } catch {
                errors += error.messages
            }
        }
        guard errors.isEmpty else { throw .failure(errors) }
        return read
    }
}

extension [TargetSources] {
    /// What the annotations of all targets say.
    func reports() throws(CommandError) -> [TargetReport] {
        var reports: [TargetReport] = []
        for target in self {
            let sources = try target.read(naming: File.displayedPath)
            reports.append(try target.generator(naming: File.displayedPath).report(on: sources))
        }
        return reports
    }
}
