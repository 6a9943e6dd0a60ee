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
