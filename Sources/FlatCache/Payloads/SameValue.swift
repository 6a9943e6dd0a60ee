/// Whether two values are the same, also if their type isn't `Equatable`, its `==` leaves out properties, or one of them is an
/// optional.
func isSame(_ first: Any, _ second: Any) -> Bool {
    guard let first = unwrapped(first), let second = unwrapped(second) else {
        return unwrapped(first) == nil && unwrapped(second) == nil
    }
    if let equatable = first as? any Equatable {
        return equatable.isSame(as: second) && HiddenDifference.path(first, second) == nil
    }
    let type = type(of: first)
    guard type == Swift.type(of: second) else { return false }
    if type is AnyClass { return first as AnyObject === second as AnyObject }
    let children = (Mirror(reflecting: first).children, Mirror(reflecting: second).children)
    guard children.0.count == children.1.count else { return false }
    // A case of an enum without values has no children.
    if children.0.isEmpty { return String(describing: first) == String(describing: second) }
    return zip(children.0, children.1).allSatisfy { $0.label == $1.label && isSame($0.value, $1.value) }
}
