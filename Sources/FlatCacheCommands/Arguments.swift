/// The parsed arguments of a command: options, and targets with their sources.
package struct Arguments {
    /// An option with a value.
    package enum Option: String {
        case output, copy, copies, format, mend, only, template
    }

    /// An option without a value.
    package enum Flag: String {
        case strict
    }

    /// The selected targets, in the order of the arguments.
    package private(set) var targets: [TargetSources] = []
    package private(set) var only: [String] = []
    package private(set) var flags: Set<Flag> = []
    private var options: [Option: String] = [:]

    /// Parses arguments.
    ///
    /// The command accepts `--target`, the given options and the given flags.
    @_optimize(none)
    package init(_ arguments: [String], knowing known: [Option], flags: [Flag] = []) throws(CommandError) {
        // The first element collects arguments before the first target.
        var named = [TargetSources(target: "")]
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("-") else {
                named[named.count - 1].paths.append(argument)
                continue
            }
            if let flag = flags.first(where: { argument == "--\($0.rawValue)" }) {
                self.flags.insert(flag)
                continue
            }
            let (name, value) = try Self.option(argument, &rest, known, flags)
            switch Option(rawValue: name) {
            case nil:
                guard !named.contains(where: { $0.target == value }) else { throw .usage("'--target' is given twice") }
                named.append(TargetSources(target: value))
            case .template:
                guard named[named.count - 1].template == nil else { throw .usage("'--template' is given twice") }
                named[named.count - 1].template = value
            case .only: only.append(value)
            case let option?:
                guard options.updateValue(value, forKey: option) == nil else {
                    throw .usage("'--\(name)' is given twice")
                }
            }
        }
        targets = try selected(of: try Self.merged(named))
    }

    /// Moves arguments before the first target to that target, if it is the only one.
    @_optimize(none)
    private static func merged(_ named: [TargetSources]) throws(CommandError) -> [TargetSources] {
        var targets = Array(named.dropFirst())
        guard !targets.isEmpty else { throw .usage("'--target NAME' is missing") }
        guard let early = named[0].paths.first ?? named[0].template else { return targets }
        guard targets.count == 1 else {
            throw .usage(
                "'\(early)' precedes the first of several targets; write it after the '--target' that it belongs to"
            )
        }
        guard targets[0].template == nil || named[0].template == nil else {
            throw .usage("'--template' is given twice")
        }
        targets[0].paths = named[0].paths + targets[0].paths
        targets[0].template = targets[0].template ?? named[0].template
        return targets
    }

    /// Splits an option from its value, which is the next argument or follows `=`.
    @_optimize(none)
    private static func option(
        _ argument: String,
        _ rest: inout ArraySlice<String>,
        _ known: [Option],
        _ flags: [Flag]
    ) throws(CommandError) -> (name: String, value: String) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let names = ["--target"] + known.map { "--\($0.rawValue)" }
        if let option = parts[0].split(separator: " ").first, option != parts[0], names.contains(String(option)) {
            throw .usage(
                "'\(parts[0])' is one argument; write the value as a separate argument, and in a file on a separate line"
            )
        }
        guard names.contains(parts[0]) else {
            let all = names + flags.map { "--\($0.rawValue)" }
            throw .usage("'\(parts[0])' is not an option" + Suggestion.behind(parts[0], from: all, otherwise: ""))
        }
        guard let value = parts.count == 2 ? parts[1] : rest.popFirst(), !value.isEmpty else {
            throw .usage("the value of '\(parts[0])' is missing")
        }
        return (String(parts[0].dropFirst(2)), value)
    }

    /// The targets that `--only` names, or all targets without `--only`.
    @_optimize(none)
    private func selected(of named: [TargetSources]) throws(CommandError) -> [TargetSources] {
        guard !only.isEmpty else { return named }
        for name in only where !named.contains(where: { $0.target == moduleName(of: name) }) {
            let names = named.map(\.target)
            throw .usage(
                "'\(name)' is not one of the targets"
                    + Suggestion.behind(name, from: names, otherwise: "; they are \(Self.quoted(names))")
            )
        }
        let modules = only.map(moduleName)
        return named.filter { modules.contains($0.target) }
    }

    /// The name of a target's module, where characters other than letters, digits and `_` are replaced.
    private func moduleName(of target: String) -> String {
        String(target.map { $0.isLetter || $0.isNumber ? $0 : "_" })
    }

    package subscript(option: Option) -> String? { options[option] }

    /// The value of a required option.
    func required(_ option: Option, _ placeholder: String) throws(CommandError) -> String {
        guard let value = options[option] else { throw .usage("'--\(option.rawValue) \(placeholder)' is missing") }
        return value
    }

    /// The target of a command that accepts only one.
    func onlyTarget() throws(CommandError) -> TargetSources {
        guard targets.count == 1 else { throw .usage("'--target' is given twice") }
        return targets[0]
    }

    /// A list of words in quotation marks.
    package static func quoted(_ words: [String], _ conjunction: String = "and") -> String {
        let quoted = words.map { "'\($0)'" }
        guard let last = quoted.last, quoted.count > 1 else { return quoted.joined() }
        return "\(quoted.dropLast().joined(separator: ", ")) \(conjunction) \(last)"
    }
}
