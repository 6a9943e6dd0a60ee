import FlatCache

/// Something of which it can be told how many there are.
final class Token: Sendable {
    private let alive: Protected<Int>

    init(_ alive: Protected<Int>) {
        self.alive = alive
        alive.withLock { $0 += 1 }
    }

    deinit {
        alive.withLock { $0 -= 1 }
    }
}

/// An entity of which it can be told how many there are.
struct Counted: Cachable {
    let id: Int
    private let token: Token

    init(_ id: Int, _ alive: Protected<Int>) {
        self.id = id
        token = Token(alive)
    }
}
