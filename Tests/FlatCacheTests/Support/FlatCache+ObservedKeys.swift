@testable import FlatCache

extension FlatCache {
    /// The number of keys of a type that somebody observes.
    func observedKeyCount<Value: Cachable>(of type: Value.Type) -> Int {
        registry.table(of: type).takeUnretainedValue().collect { $0.observers == nil ? nil : true }.count
    }
}
