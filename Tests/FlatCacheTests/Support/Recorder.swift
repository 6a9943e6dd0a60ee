/// Collects what callbacks are given, from any thread.
final class Recorder<Element: Sendable>: Sendable {
    private let recorded = Protected<[Element]>([])

    var elements: [Element] { recorded.withLock { $0 } }

    var count: Int { recorded.withLock { $0.count } }

    func record(_ element: Element) {
        recorded.withLock { $0.append(element) }
    }

    /// Returns what was recorded, and forgets it.
    func take() -> [Element] {
        recorded.withLock { elements in
            defer { elements = [] }
            return elements
        }
    }
}
