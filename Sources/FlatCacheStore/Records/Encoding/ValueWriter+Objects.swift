// What isn't written in one go: objects with their own shape, nested values and canonical orders.

extension ValueWriter {
    /// Gives the current object its own shape, because its shape can't be in the table.
    func nameMembers() {
        guard let tree else { return }
        var start = top.start + top.reserved
        for name in tree.names(of: top.node) {
            entries.append(Entry(name: name, start: start))
            start = buffer.bytes.end(of: start, before: buffer.count)
        }
        top.kind = .namedObject
    }

    /// Ends an object with its own shape.
    func closeNamedObject() {
        orderMembers()
        var shape = RecordBuffer(capacity: 256)
        shape.appendNames(entries[top.firstEntry...].map(\.name))
        let position = writeHead(RecordTag.namedObject, size: shape.count)
        buffer.set(shape.contents, at: position)
        entries.removeSubrange(top.firstEntry...)
    }

    /// Removes members that were encoded again later, and sorts the others by their names if the order is canonical.
    ///
    /// A member that is absent doesn't replace its value.
    private func orderMembers() {
        let members = entries[top.firstEntry...]
        var last: [String: Int] = [:]
        for (index, member) in zip(members.indices, members) {
            let isAbsent = buffer.base[member.start] == RecordTag.absent
            if !isAbsent || last[member.name] == nil { last[member.name] = index }
        }
        guard buffer.isCanonical || last.count < members.count else { return }
        var order = last.values.sorted()
        if buffer.isCanonical { order.sort { members[$0].name.utf8.lexicographicallyPrecedes(members[$1].name.utf8) } }
        let ranges = order.map { index in
            members[index].start..<(index + 1 < members.endIndex ? members[index + 1].start : buffer.count)
        }
        let ordered = order.map { members[$0] }
        entries.replaceSubrange(top.firstEntry..., with: ordered)
        arrange(ranges)
    }

    /// Sorts the values of a set, or the pairs of a dictionary, by their bytes.
    func sortElements<Value>(of type: Value.Type) {
        guard let unordered = type as? any UnorderedValue.Type else { return }
        var ranges: [Range<Int>] = []
        var start = top.start + top.reserved
        while start < buffer.count {
            var end = start
            for _ in 0..<unordered.valuesPerElement { end = buffer.bytes.end(of: end, before: buffer.count) }
            guard end > start else { return }
            ranges.append(start..<end)
            start = end
        }
        let contents = buffer.contents
        ranges.sort { contents[$0].lexicographicallyPrecedes(contents[$1]) }
        arrange(ranges)
    }

    /// Replaces the content of the current value by some of its parts in another order.
    private func arrange(_ ranges: [Range<Int>]) {
        let start = top.start + top.reserved
        let content = Array(buffer.contents[start...])
        buffer.removeAll(from: start)
        for range in ranges {
            content[range.lowerBound - start..<range.upperBound - start].withUnsafeBufferPointer { buffer.append($0) }
        }
    }

    /// Inserts the nested values of the current value.
    func insertNested() throws {
        let values = nested[top.firstNested...]
        guard let start = values.first?.position else { return }
        for value in values { try value.writer.finish() }
        let content = Array(buffer.contents[start...])
        buffer.removeAll(from: start)
        var copied = start
        for value in values {
            content[copied - start..<value.position - start].withUnsafeBufferPointer { buffer.append($0) }
            buffer.append(value.writer.buffer.contents)
            copied = value.position + 1
        }
        content[(copied - start)...].withUnsafeBufferPointer { buffer.append($0) }
        nested.removeSubrange(top.firstNested...)
        guard top.kind == .namedObject else { return }
        var member = top.start + top.reserved
        for index in entries.indices[top.firstEntry...] {
            entries[index].start = member
            member = buffer.bytes.end(of: member, before: buffer.count)
        }
    }
}

/// A value whose elements have no order of their own.
private protocol UnorderedValue {
    /// The number of values that are encoded for an element.
    static var valuesPerElement: Int { get }
}

extension Set: UnorderedValue {
    fileprivate static var valuesPerElement: Int { 1 }
}

extension Dictionary: UnorderedValue {
    fileprivate static var valuesPerElement: Int { 2 }
}
