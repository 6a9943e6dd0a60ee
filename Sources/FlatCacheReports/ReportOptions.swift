import FlatCacheCommands

/// The options of a command that prints a report: targets, format, output file and flags.
struct ReportOptions<Format: RawRepresentable<String> & CaseIterable> {
    let targets: [TargetSources]
    let format: Format
    /// The path of the file to write, or `nil` to print the report.
    let output: String?
    let flags: Set<Arguments.Flag>

    init(_ arguments: [String], default first: Format, flags known: [Arguments.Flag] = []) throws(CommandError) {
        let arguments = try Arguments(arguments, knowing: [.format, .only, .output, .template], flags: known)
        flags = arguments.flags
        targets = arguments.targets
        format = try arguments.format(Format.self, default: first)
        output = arguments[.output]
    }
}

extension Arguments {
    /// The value of `--format`, or the default without it.
    func format<Format: RawRepresentable<String> & CaseIterable>(
        _ type: Format.Type,
        default first: Format
    ) throws(CommandError) -> Format {
        guard let written = self[.format] else { return first }
        if let format = Format(rawValue: written) { return format }
        throw .usage("'\(written)' is not a format; write \(Self.quoted(Format.allCases.map(\.rawValue), "or"))")
    }
}
