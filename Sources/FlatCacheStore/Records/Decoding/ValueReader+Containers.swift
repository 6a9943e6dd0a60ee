// MARK: Objects

extension ValueReader {
    /// The extent and the shape of an object.
    ///
    /// It has no references, because the containers of the standard library copy it for each member. The shape exists as long
    /// as the reader, which has it in its table or among its named objects.
    struct Object {
        let shape: Unmanaged<Shape>
        let names: UnsafePointer<String>
        let count: Int
        let start: Int
        let firstMember: Int
        let end: Int

        init(_ shape: Shape, start: Int, firstMember: Int, end: Int) {
            self.shape = .passUnretained(shape)
            names = shape.names
            count = shape.count
            self.start = start
            self.firstMember = firstMember
            self.end = end
        }
    }

    func object(at position: Int, depth: Int) throws -> Object {
        _ = try end(of: position, before: bytes.count)
        let tag = tag(at: position)
        guard tag == RecordTag.object || tag == RecordTag.namedObject else {
            throw mismatch(at: position, [String: Any].self)
        }
        guard depth <= RecordLimit.depth else { throw DecodingError.tooDeep(path(to: position)) }
        if let object = wholeObject(at: position) { return object }
        let isStored = tag == RecordTag.namedObject
        throw damage(at: position, "The names of the members \(isStored ? "are damaged" : "aren't stored")")
    }

    /// Returns the object at a position whose value is whole, or `nil` if it is something else or has no shape.
    @inline(__always) func wholeObject(at position: Int) -> Object? {
        let tag = tag(at: position)
        if tag == RecordTag.namedObject { return namedObject(at: position) }
        guard tag == RecordTag.object else { return nil }
        let content = bytes.content(at: position)
        var first = content.lowerBound
        guard let shape = shapes.shape(bytes.varint(at: &first, before: content.upperBound)) else { return nil }
        return Object(shape, start: position, firstMember: first, end: content.upperBound)
    }

    @inline(never) private func namedObject(at position: Int) -> Object? {
        if let known = namedObjects[position] { return known.object }
        let content = bytes.content(at: position)
        var first = content.lowerBound
        guard let names = bytes.names(at: &first, before: content.upperBound) else { return nil }
        let shape = Shape(names)
        let object = Object(shape, start: position, firstMember: first, end: content.upperBound)
        namedObjects[position] = (object, shape)
        return object
    }

    /// Returns the position of the value of a member, or `nil` if the object doesn't have it.
    @inline(__always) func member(_ name: String, of object: Object, depth: Int) throws -> Int? {
        let cursor = cursors + (depth & (Self.cursorCount - 1))
        if cursor.pointee.object == object.start {
            let next = cursor.pointee.index + 1
            if next < object.count, object.names[next] == name {
                return try move(cursor, to: next, at: cursor.pointee.end, of: object)
            }
        } else if object.count > 0, object.names[0] == name {
            return try move(cursor, to: 0, at: object.firstMember, of: object)
        }
        return try searchedMember(name, of: object, cursor)
    }

    @inline(never) private func searchedMember(
        _ name: String,
        of object: Object,
        _ cursor: UnsafeMutablePointer<Cursor>
    ) throws -> Int? {
        guard let index = object.shape.takeUnretainedValue().position(of: name) else { return nil }
        return try move(cursor, to: index, at: start(of: index, in: object, from: cursor.pointee), of: object)
    }

    /// Moves a cursor to a member, and returns its position, or `nil` if it is absent.
    @inline(__always) private func move(
        _ cursor: UnsafeMutablePointer<Cursor>,
        to index: Int,
        at start: Int,
        of object: Object
    ) throws -> Int? {
        let end = try end(of: start, before: object.end)
        cursor.pointee = Cursor(object: object.start, index: index, start: start, end: end)
        return tag(at: start) == RecordTag.absent ? nil : start
    }

    private func start(of index: Int, in object: Object, from cursor: Cursor) throws -> Int {
        let isBehind = cursor.object == object.start && cursor.index <= index
        var member = isBehind ? cursor.index : 0
        var position = isBehind ? cursor.start : object.firstMember
        if index - member > Shape.searchedNames {
            let starts = try starts(of: object)
            return index < starts.count ? starts[index] : object.end
        }
        while member < index {
            position = try end(of: position, before: object.end)
            member += 1
        }
        return position
    }

    /// The positions of the members of a large object, so that reading them in any order takes linear time.
    private func starts(of object: Object) throws -> [Int] {
        if let known = memberStarts[object.start] { return known }
        var starts: [Int] = []
        var position = object.firstMember
        while position < object.end, starts.count < object.count {
            starts.append(position)
            position = try end(of: position, before: object.end)
        }
        memberStarts[object.start] = starts
        return starts
    }

    /// The members that an object has, in their order.
    func members(of object: Object) throws -> [(name: String, value: Range<Int>)] {
        var members: [(name: String, value: Range<Int>)] = []
        var position = object.firstMember
        for name in object.shape.takeUnretainedValue().allNames {
            let end = try end(of: position, before: object.end)
            if tag(at: position) != RecordTag.absent { members.append((name, position..<end)) }
            position = end
        }
        return members
    }
}

// MARK: Arrays

extension ValueReader {
    /// Returns the positions of the content of an array.
    func array(at position: Int, depth: Int) throws -> Range<Int> {
        _ = try end(of: position, before: bytes.count)
        guard tag(at: position) == RecordTag.array else { throw mismatch(at: position, [Any].self) }
        guard depth <= RecordLimit.depth else { throw DecodingError.tooDeep(path(to: position)) }
        return bytes.content(at: position)
    }

    /// Returns the positions of the values in an array's content.
    func elements(_ content: Range<Int>) throws -> [Range<Int>] {
        var elements: [Range<Int>] = []
        var position = content.lowerBound
        while position < content.upperBound {
            let end = try end(of: position, before: content.upperBound)
            elements.append(position..<end)
            position = end
        }
        return elements
    }
}
