import FlatCache

/// An object that counts how many of it are alive.
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

/// An entity that counts how many of it are alive.
struct Counted: Cachable {
    let id: Int
    private let token: Token

    init(_ id: Int, _ alive: Protected<Int>) {
        self.id = id
        token = Token(alive)
    }
}
