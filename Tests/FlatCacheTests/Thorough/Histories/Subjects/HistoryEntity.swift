import FlatCache

/// An entity that is reduced to one number.
protocol HistoryEntity: Cachable {
    init(number: Int, value: Int)

    static func id(_ number: Int) -> ID

    var number: Int { get }
    var value: Int { get set }
}

extension Counter: HistoryEntity {
    init(number: Int, value: Int) { self.init(id: number, count: value) }

    static func id(_ number: Int) -> Int { number }

    var number: Int { id }
    var value: Int {
        get { count }
        set { count = newValue }
    }
}

extension Post: HistoryEntity {
    init(number: Int, value: Int) { self.init(id: "\(number)", likes: value) }

    static func id(_ number: Int) -> String { "\(number)" }

    var number: Int { Int(id) ?? -1 }
    var value: Int {
        get { likes }
        set { likes = newValue }
    }
}
