import Synchronization

/// A number that several threads count up.
final class SharedCount: Sendable {
    private let number = Atomic<Int>(0)

    var value: Int { number.load(ordering: .relaxed) }

    func add(_ count: Int) { number.add(count, ordering: .relaxed) }
}
