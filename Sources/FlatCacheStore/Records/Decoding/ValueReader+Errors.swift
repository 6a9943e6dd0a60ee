extension ValueReader {
    /// A value in a container.
    struct Step {
        let index: Int
        let position: Int
    }

    /// The path to the value at a position.
    ///
    /// It is found from the record's start. So only errors cost time, and decoders have no paths.
    func path(to target: Int) -> [any CodingKey] {
        var path = basePath
        var position = 0
        while position < target, let step = step(from: position, to: target) {
            path.append(step.key)
            position = step.position
        }
        return path
    }

    /// The value in a container that is at a position or contains it.
    private func step(from container: Int, to target: Int) -> (key: NameKey, position: Int)? {
        guard bytes.end(of: container, before: bytes.count) > 0 else { return nil }
        let object = wholeObject(at: container)
        guard object != nil || tag(at: container) == RecordTag.array else { return nil }
        let end = bytes.content(at: container).upperBound
        // Types that try one type after the other cause an error for each element, whose search goes on at the last.
        let first = Step(index: 0, position: object?.firstMember ?? bytes.content(at: container).lowerBound)
        var step = steps[container] ?? first
        if step.position > target { step = first }
        while true {
            let next = bytes.end(of: step.position, before: end)
            if step.position == target || next > target { break }
            guard next > 0 else { return nil }
            step = Step(index: step.index + 1, position: next)
        }
        steps[container] = step
        guard let object else { return (NameKey(index: step.index), step.position) }
        return step.index < object.count ? (NameKey(object.names[step.index]), step.position) : nil
    }

    func damage(at position: Int, _ problem: String) -> DecodingError {
        let text = "\(problem), at byte \(position) of the record. The record is damaged or of a newer version."
        return .dataCorrupted(.init(codingPath: path(to: position), debugDescription: text))
    }

    /// The error of a value of another kind.
    func mismatch(at position: Int, _ type: Any.Type) -> DecodingError {
        let context = DecodingError.Context(
            codingPath: path(to: position),
            debugDescription: "Expected \(type), but the record has \(RecordTag.name(tag(at: position)))."
        )
        return isNull(at: position) ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }
}
