import Synchronization

/// Collects what closures are given, from any thread.
final class Recorder<Element: Sendable>: Sendable {
    private let recorded = Mutex<[Element]>([])

    var elements: [Element] { recorded.withLock { $0 } }

    func record(_ element: Element) {
        recorded.withLock { $0.append(element) }
    }
}
