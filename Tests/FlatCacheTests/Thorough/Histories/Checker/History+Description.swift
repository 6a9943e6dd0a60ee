extension History: CustomStringConvertible {
    /// All calls in the order in which they were made, one a line, with the ticks of call and return.
    var description: String {
        let events = processes.enumerated().flatMap { process, events in events.map { (process, $0) } }
        return
            events
            .sorted { ($0.1.called, $0.0, $0.1.returned) < ($1.1.called, $1.0, $1.1.returned) }
            .map { process, event in "process \(process): \(event)" }
            .joined(separator: "\n")
    }
}

extension History.Event: CustomStringConvertible {
    var description: String {
        "[\(called)…\(returned)] \(call) → \(observations.map(\.description).joined(separator: ", "))"
    }
}

extension History.Key: CustomStringConvertible {
    var description: String { "\(kind) \(number)" }
}

extension History.Step: CustomStringConvertible {
    var description: String {
        switch self {
        case .get(let key): "get \(key)"
        case .getThrough(let medium, let key): "get \(key) through \(medium)"
        case .contains(let key): "contains \(key)"
        case .allValues(let kind): "all values of \(kind)"
        case .count(let kind): "count of \(kind)"
        case .set(let key, let value): "set \(key) to \(value)"
        case .setSeveral(let kind, let values): "set \(kind)s \(list(values))"
        case .remove(let key): "remove \(key)"
        case .removeAll(let kind): "remove all of \(kind)"
        case .removeEverything: "remove all"
        case .update(let key, let digits): "update \(key) with \(digits)"
        case .updateStoring(let key, let digits, let other, let value):
            "update \(key) with \(digits) and set \(other) to \(value)"
        case .failingUpdate(let key): "update \(key) and throw"
        }
    }
}

extension History.Observation: CustomStringConvertible {
    var description: String {
        switch self {
        case .nothing: "-"
        case .value(let value): value?.description ?? "nil"
        case .presence(let isPresent): isPresent.description
        case .values(let values): list(values)
        case .count(let count): "\(count) entities"
        case .failure(let seen): "saw \(seen?.description ?? "nil")"
        }
    }
}

extension History.Call: CustomStringConvertible {
    var description: String {
        switch self {
        case .step(let step): step.description
        case .transaction(let calls, let fails): "transaction\(fails ? " that fails" : "") { \(Self.list(calls)) }"
        case .read(let calls): "read { \(Self.list(calls)) }"
        case .aside(let call): "aside: \(call)"
        case .pause: ""
        }
    }

    private static func list(_ calls: [Self]) -> String {
        calls.map(\.description).filter { !$0.isEmpty }.joined(separator: "; ")
    }
}

extension History.State: CustomStringConvertible {
    var description: String {
        "[\(History.Key.all.compactMap { key in self[key].map { "\(key): \($0)" } }.joined(separator: ", "))]"
    }
}

private func list(_ values: [Int: Int]) -> String {
    "[\(values.sorted { $0.key < $1.key }.map { "\($0): \($1)" }.joined(separator: ", "))]"
}
