/// Elements in an order, of which there is usually one, which needs no memory of its own.
struct ShortList<Element>: Sequence {
    private(set) var first: Element?
    private var others: [Element] = []

    init(_ first: Element? = nil) {
        self.first = first
    }

    var isEmpty: Bool { first == nil }

    var count: Int { (first == nil ? 0 : 1) + others.count }

    mutating func append(_ element: Element) {
        if first == nil { first = element } else { others.append(element) }
    }

    /// Changes the element at a place.
    mutating func change<Result>(at place: Int, _ body: (inout Element) -> Result) -> Result? {
        if place > 0 { return body(&others[place - 1]) }
        // The element is taken out meanwhile, so that what it owns has no other reference.
        guard var element = first.take() else { return nil }
        defer { first = element }
        return body(&element)
    }

    subscript(place: Int) -> Element? { place == 0 ? first : others[place - 1] }

    func makeIterator() -> Iterator { Iterator(first: first, others: others.makeIterator()) }

    struct Iterator: IteratorProtocol {
        fileprivate var first: Element?
        fileprivate var others: IndexingIterator<[Element]>

        mutating func next() -> Element? { first.take() ?? others.next() }
    }
}
