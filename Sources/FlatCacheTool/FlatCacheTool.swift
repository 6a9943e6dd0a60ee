import FlatCacheCommands

/// The program that the build plugin runs.
@main
enum FlatCacheTool {
    static func main() { CommandLineTool.main([GenerateCommand.command]) }
}
