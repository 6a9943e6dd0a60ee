package import FlatCacheCommands

/// The commands on the sources of targets.
package enum SourceCommands {
    /// All commands, in the order of the help on them.
    package static var all: [Command] {
        [
            GenerateCommand.command, ReviewCommand.command, RecordCommand.command, ExplainCommand.command,
            GraphCommand.command,
        ]
    }
}
