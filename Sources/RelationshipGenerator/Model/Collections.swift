extension Array {
    /// The elements in an order, in which equal ones stay as they were.
    ///
    /// Numbers are sorted instead of the elements, so that the algorithm is compiled once and not for each type.
    func ordered(by precedes: (Element, Element) -> Bool) -> [Element] {
        order(count) { precedes(self[$0], self[$1]) }.map { self[$0] }
    }
}

/// The numbers from zero in the order of the elements to which they belong.
@inline(never)
private func order(_ count: Int, by precedes: (Int, Int) -> Bool) -> [Int] {
    var order = Array(0..<count)
    order.sort(by: precedes)
    return order
}

/// The numbers of elements by their names.
///
/// It is compiled once, while `Dictionary(grouping:by:)` is compiled for each type of elements.
struct NameIndex {
    /// The names, in the order of their first elements.
    private(set) var names: [String] = []
    private var numbers: [String: Int] = [:]
    private var elements: [[Int]] = []

    /// Creates the index of elements with names.
    @inline(never)
    init(_ names: [String]) {
        for (element, name) in names.enumerated() { add(element, named: name) }
    }

    /// Adds an element.
    @inline(never)
    mutating func add(_ element: Int, named name: String) {
        if let number = numbers[name] { return elements[number].append(element) }
        numbers[name] = names.count
        names.append(name)
        elements.append([element])
    }

    /// The numbers of the elements with a name, in the order of their addition.
    @inline(never)
    subscript(name: String) -> [Int] { numbers[name].map { elements[$0] } ?? [] }
}

extension Set<String> {
    /// Creates a set of the words of a text, which blanks separate.
    ///
    /// One literal compiles many times as fast as a list of literals.
    @inline(never)
    init(words: String) {
        self.init(words.split(separator: " ").map(String.init))
    }
}
