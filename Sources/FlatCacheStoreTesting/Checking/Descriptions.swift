internal import FlatCacheStore

// Short texts of groups and records, for messages.

/// Returns the bytes as text if they are printable, and their number and beginning otherwise.
func text(of bytes: ArraySlice<UInt8>) -> String {
    let isPrintable = !bytes.isEmpty && bytes.count <= 40 && bytes.allSatisfy { (0x20..<0x7F).contains($0) }
    if isPrintable { return "'\(String(decoding: bytes, as: UTF8.self))'" }
    let beginning = bytes.prefix(8).map { String($0, radix: 16) }.joined(separator: " ")
    return bytes.isEmpty ? "no bytes" : "\(bytes.count) bytes (\(beginning)\(bytes.count > 8 ? " …" : ""))"
}

/// Returns the text of the content of a record that may not exist.
func text(of value: ArraySlice<UInt8>?) -> String { value.map(text) ?? "nothing" }

func text(of record: StoredRecord) -> String { "the key \(text(of: record.key)) with \(text(of: record.value))" }

func text(of group: RecordGroup) -> String {
    "the \(group.kind) of '\(group.type.prefix(40))\(group.type.count > 40 ? "…" : "")'"
}

func text(of counts: [RecordGroup: Int]) -> String {
    if counts.isEmpty { return "no groups" }
    let groups = counts.map { "\($0.value) in \(text(of: $0.key))" }.sorted()
    return groups.prefix(8).joined(separator: ", ") + (groups.count > 8 ? ", and \(groups.count - 8) more groups" : "")
}
