import FlatCacheCommands
import FlatCacheReports

/// The program that the command plugins run.
@main
enum FlatCacheReportTool {
    static func main() { CommandLineTool.main(SourceCommands.all) }
}
