/// Writes one value after the other as its type encodes it.
///
/// A value is written directly behind the values before it. Its frame has what isn't known until its end: the shape of an
/// object, and the length. The frames form a stack, as the calls of `encode(to:)` do.
///
/// Values in nested containers and super encoders can be written at any time until the value around them ends. Each has a
/// writer of its own, whose bytes are inserted then.
///
/// One thread at a time uses a writer.
final class ValueWriter {
    /// What is known of a value that is being written.
    struct Frame {
        enum Kind { case empty, value, object, namedObject, array }

        /// A number that no other frame has, by which containers of values that have ended are recognised.
        ///
        /// The first frame of a writer has the number 1.
        let id: Int
        /// The position of the value.
        let start: Int
        let firstEntry: Int
        let firstNested: Int
        var kind = Kind.empty
        /// The number of bytes at the start that are reserved for the tag, the length and the number of the shape.
        var reserved = 0
        /// The names of an object so far.
        var node = ShapeTree.root
        /// The number of values of an array so far.
        var count = 0
    }

    /// A member of an object with its own shape.
    struct Entry {
        let name: String
        var start: Int
    }

    /// A value with a writer of its own.
    ///
    /// At its position, there is one byte until its end.
    struct Nested {
        let position: Int
        /// The name of a member that is a nested container.
        let name: String?
        let writer: ValueWriter
    }

    /// Where shapes are found and added, or `nil` if all objects have their own shapes.
    let tree: ShapeTree?
    let userInfo: [CodingUserInfoKey: any Sendable]
    /// The path to the first value.
    private let basePath: [any CodingKey]
    /// The number of values around the first value.
    private let baseDepth: Int

    @exclusivity(unchecked) var buffer: RecordBuffer
    @exclusivity(unchecked) var top: Frame
    @exclusivity(unchecked) private var saved: [Frame] = []
    /// The members of all objects on the stack that have their own shape.
    @exclusivity(unchecked) var entries: [Entry] = []
    /// The nested values of all frames.
    @exclusivity(unchecked) var nested: [Nested] = []
    @exclusivity(unchecked) private var frames = 0
    /// The first error of a method that can't throw.
    @exclusivity(unchecked) private var failure: (any Error)?

    init(tree: ShapeTree?, isCanonical: Bool = false, userInfo: [CodingUserInfoKey: any Sendable] = [:]) {
        self.tree = tree
        self.userInfo = userInfo
        basePath = []
        baseDepth = 0
        buffer = RecordBuffer(capacity: 256, isCanonical: isCanonical)
        top = Frame(id: -1, start: 0, firstEntry: 0, firstNested: 0)
    }

    /// Creates the writer of a nested value.
    private init(inside writer: ValueWriter) {
        tree = writer.tree
        userInfo = writer.userInfo
        basePath = writer.path
        baseDepth = writer.baseDepth + writer.saved.count
        buffer = RecordBuffer(capacity: 64, isCanonical: writer.buffer.isCanonical)
        top = Frame(id: -1, start: 0, firstEntry: 0, firstNested: 0)
        if baseDepth >= RecordLimit.depth {
            failure = EncodingError.tooDeep(basePath)
        } else {
            open()
        }
    }

    /// Writes a value as the only one.
    func writeRoot<Value: Encodable>(_ value: Value) throws {
        // A type may use the encoder that encodes it.
        guard saved.isEmpty else { throw misuse }
        buffer.removeAll(from: 0)
        failure = nil
        do {
            if buffer.appendScalar(value) { return }
            open()
            try value.encode(to: ValueEncoder(writer: self, id: top.id))
            guard top.kind != .empty else { throw EncodingError.nothing(value) }
            try close(Value.self)
            if let failure { throw failure }
            guard buffer.count <= RecordLimit.bytes else { throw EncodingError.tooLong(value) }
        } catch {
            while !saved.isEmpty { abandon() }
            throw error
        }
    }

    /// Writes a value behind the others.
    @inline(__always) func write<Value: Encodable>(_ value: Value) throws {
        if !buffer.appendScalar(value) { try writeNested(value) }
    }

    @inline(never) private func writeNested<Value: Encodable>(_ value: Value) throws {
        guard baseDepth + saved.count < RecordLimit.depth else { throw EncodingError.tooDeep(path) }
        open()
        do {
            try value.encode(to: ValueEncoder(writer: self, id: top.id))
            try close(Value.self)
        } catch {
            abandon()
            throw error
        }
    }

    /// Returns the writer of a value whose place is behind the others, and which is written until the current value ends.
    ///
    /// - Parameter name: The name of a member that is a nested container.
    func nestedWriter(_ name: String? = nil) -> ValueWriter {
        let writer = ValueWriter(inside: self)
        nested.append(Nested(position: buffer.count, name: name, writer: writer))
        buffer.append(RecordTag.null)
        return writer
    }

    /// Returns the writer of a nested container that a type asks for again, or `nil`.
    func knownWriter(_ name: String, in id: Int) -> ValueWriter? {
        guard id == top.id, nested.count > top.firstNested else { return nil }
        return nested[top.firstNested...].last { $0.name == name }?.writer
    }

    /// Returns the writer of a nested value for which there is no place, so that its writes throw an error.
    func unusableWriter() -> ValueWriter {
        let writer = ValueWriter(inside: self)
        writer.pop()
        writer.fail(misuse)
        return writer
    }

    /// Ends the value of a nested writer.
    func finish() throws {
        if let failure { throw failure }
        guard saved.count == 1 else { throw misuse }
        try close(Any.self)
    }

    /// The error of a write at a wrong time.
    var misuse: any Error { failure ?? EncodingError.misused(path) }

    /// Records an error that is thrown when the first value ends.
    func fail(_ error: any Error) {
        if failure == nil { failure = error }
    }
}

// MARK: Frames

extension ValueWriter {
    private func open() {
        saved.append(top)
        frames += 1
        top = Frame(id: frames, start: buffer.count, firstEntry: entries.count, firstNested: nested.count)
    }

    private func close<Value>(_ type: Value.Type) throws {
        if nested.count > top.firstNested { try insertNested() }
        switch top.kind {
        case .value: break
        case .empty:
            // As of an encoder for JSON: an object without members.
            buffer.append(RecordTag.namedObject)
            buffer.append(1)
            buffer.append(0)
        case .array:
            if buffer.isCanonical { sortElements(of: type) }
            _ = writeHead(RecordTag.array, size: 0)
        case .object:
            if let shape = tree?.shape(of: top.node) {
                var position = writeHead(RecordTag.object, size: RecordBuffer.varintSize(shape))
                buffer.setVarint(shape, at: &position)
            } else {
                nameMembers()
                closeNamedObject()
            }
        case .namedObject: closeNamedObject()
        }
        pop()
    }

    /// Removes the current value.
    private func abandon() {
        buffer.removeAll(from: top.start)
        entries.removeSubrange(min(top.firstEntry, entries.count)...)
        nested.removeSubrange(min(top.firstNested, nested.count)...)
        pop()
    }

    @inline(__always) private func pop() {
        if let last = saved.popLast() { top = last }
    }

    /// Writes the tag and the length of the current value into the space at its start.
    ///
    /// - Parameters:
    ///   - tag: The tag.
    ///   - size: The number of bytes between the length and the values.
    /// - Returns: The position of these bytes.
    @inline(__always) func writeHead(_ tag: UInt8, size: Int) -> Int {
        let length = buffer.count - top.start - top.reserved + size
        let space = 1 + RecordBuffer.varintSize(length) + size
        buffer.resize(top.start..<top.start + top.reserved, to: space)
        buffer.set(tag, at: top.start)
        var position = top.start + 1
        buffer.setVarint(length, at: &position)
        return position
    }

    /// Begins a container of the current value.
    ///
    /// A type may ask for several containers of one kind, as a class and its superclass do. They are one.
    func begin(_ kind: Frame.Kind, in id: Int) {
        guard id == top.id else { return fail(misuse) }
        guard top.kind == .empty else {
            if top.kind == .object, kind == .namedObject { nameMembers() }
            let isSame = top.kind == kind || top.kind == .namedObject && kind == .object
            return isSame ? () : fail(misuse)
        }
        top.kind = kind
        top.reserved = kind == .object ? 3 : 2
        buffer.appendSpace(top.reserved)
    }

    /// Checks that the current value can be written by a single value container.
    @inline(__always) func beginValue(in id: Int) throws {
        guard id == top.id, top.kind == .empty else { throw misuse }
        top.kind = .value
    }

    /// Adds the name of a member whose value is written next.
    ///
    /// - Returns: A number by which ``forget(_:)`` removes the name if the value can't be written.
    @inline(__always) func note(_ name: String, in id: Int) throws -> Int32 {
        guard id == top.id else { throw misuse }
        if top.kind == .object, let tree {
            let node = top.node
            if let child = tree.child(of: node, named: name) {
                top.node = child
                return node
            }
            nameMembers()
        }
        entries.append(Entry(name: buffer.isCanonical ? name.canonical : name, start: buffer.count))
        return -1
    }

    /// Removes the name of a member whose value couldn't be written.
    func forget(_ note: Int32) {
        if note >= 0 { top.node = note } else { entries.removeLast() }
    }

    /// The path to the value that is written next.
    var path: [any CodingKey] { path(to: nil) }

    /// The path to the value with a frame.
    func path(to id: Int?) -> [any CodingKey] {
        var path = basePath
        var frames = saved
        frames.append(top)
        for (index, frame) in frames.enumerated() {
            if frame.id == id { break }
            switch frame.kind {
            case .empty, .value: break
            case .array: path.append(NameKey(index: max(0, frame.count - 1)))
            case .object:
                if let tree, frame.node != ShapeTree.root { path.append(NameKey(tree.name(of: frame.node))) }
            case .namedObject:
                let end = index + 1 < frames.count ? frames[index + 1].firstEntry : entries.count
                if end > frame.firstEntry { path.append(NameKey(entries[end - 1].name)) }
            }
        }
        return path
    }
}
