extension Figure {
    /// The figure as a JSON object on one line.
    ///
    /// A figure that isn't a time has `null` as `median_ns`, and a key for what it is.
    public var json: String {
        var members = [
            ("name", quoted(name)),
            ("subject", quoted(subject)),
            ("median_ns", unit == .nanoseconds ? decimal(median, digits: 2) : "null"),
            ("ratio", ratio.map { decimal($0, digits: 4) } ?? "null"),
        ]
        if unit == .bytes { members.append(("median_bytes", decimal(median, digits: 1))) }
        if unit == .percent { members.append(("median_percent", decimal(median, digits: 2))) }
        if let reference {
            let against = reference.name == name ? reference.subject : "\(reference.name) \(reference.subject)"
            members.append(("against", quoted(against)))
        }
        if meaning == .throughput { members.append(("ratio_means", quoted("throughput_factor"))) }
        return "{" + members.map { "\"\($0)\": \($1)" }.joined(separator: ", ") + "}"
    }

    private func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\u{0}"..<" ":
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
