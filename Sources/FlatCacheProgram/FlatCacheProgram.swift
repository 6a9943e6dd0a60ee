import FlatCacheCommands
import FlatCacheInspection

/// The program `flatcache`, for people and other build systems.
@main
enum FlatCacheProgram {
    static func main() { CommandLineTool.main(adding: [InspectCommand.command]) }
}
