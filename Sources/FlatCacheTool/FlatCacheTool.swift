import FlatCacheCommands

/// The program that the plugins run.
@main
enum FlatCacheTool {
    static func main() { CommandLineTool.main() }
}
