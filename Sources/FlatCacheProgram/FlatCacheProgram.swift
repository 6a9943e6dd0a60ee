import FlatCacheCommands
import FlatCacheInspection
import FlatCacheReports

/// The program `flatcache`, for people and other build systems.
@main
enum FlatCacheProgram {
    static func main() { CommandLineTool.main(SourceCommands.all + [InspectCommand.command]) }
}
