import FlatCacheCommands
import RelationshipGenerator

extension [TargetSources] {
    /// The reports on all targets.
    func reports() throws(CommandError) -> [TargetReport] {
        var reports: [TargetReport] = []
        for target in self {
            let sources = try target.read(naming: File.displayedPath)
            reports.append(try target.generator(naming: File.displayedPath).report(on: sources))
        }
        return reports
    }
}
