extension Sequence {
    /// The first result of a closure that isn't `nil`.
    ///
    /// The closure is called once for each element. A lazy `compactMap` calls it again for the element that it has found, and then
    /// another thread can have made it `nil`.
    func first<Result>(from transform: (Element) -> Result?) -> Result? {
        for element in self {
            if let result = transform(element) { return result }
        }
        return nil
    }
}
