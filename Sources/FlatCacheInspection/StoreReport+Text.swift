import FlatCacheStore

extension StoreReport {
    /// The report as tables for people.
    var text: String {
        let paragraphs = [typeTable, notes, logTable, summary].filter { !$0.isEmpty }
        return paragraphs.joined(separator: "\n")
    }

    private var typeTable: String {
        // There may be records that can't be read.
        if types.isEmpty, mutations.isEmpty { return isSealed || health.isDamaged ? "" : "There are no records.\n" }
        var table = TextTable(["ENTITIES", "BYTES", "VERSION", "LISTS", "REFERENCES", "TYPE"])
        for type in types {
            let version = type.version.map(String.init) ?? "unknown"
            let numbers = ["\(type.entities)", "\(type.bytes)", version, "\(type.lists)", "\(type.references)"]
            table.rows.append(numbers + [type.name.escapedForDisplay])
        }
        return table.text
    }

    /// What the table of the types can't show.
    private var notes: String {
        var lines = types.flatMap(\.otherVersions)
        if !mutations.isEmpty { lines.append(counted(mutations.count, "pending mutation", "pending mutations")) }
        if isSealed {
            lines.append("Sealed records are left out: their names and contents can't be shown without the app's key.")
        }
        return lines.map { "\($0)\n" }.joined()
    }

    private var logTable: String {
        var table = TextTable(["BYTES", "BATCHES", "FIRST", "LAST", "LOG"])
        for log in logs {
            let ends = [log.sequences?.lowerBound, log.sequences?.upperBound].map { $0.map { "\($0)" } ?? "-" }
            let name = fileName(of: log.file) + (log.isCompacted ? " (compacted)" : "")
            table.rows.append(["\(log.bytes)", "\(log.batches)"] + ends + [name])
        }
        return logs.isEmpty ? "" : table.text
    }

    private var summary: String {
        """
        unused bytes: \(unusedBytes.map { "\($0) of \(bytes)" } ?? "unknown")
        format: \(formatVersion)
        health: \(health)

        """
    }
}

extension StoreReport.StoredType {
    /// How many entities are of other versions than the one that has written last.
    fileprivate var otherVersions: [String] {
        entitiesByVersion.sorted { $0.key < $1.key }.filter { $0.key != version }.map { version, count in
            "\(name.escapedForDisplay): \(counted(count, "entity", "entities")) of version \(version)"
        }
    }
}
