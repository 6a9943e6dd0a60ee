/// A weak reference that can be shared.
///
/// Reading a weak variable is safe from any thread; the only write is in the initializer of the object, before anybody
/// else can see it.
final class WeakReference<Object: AnyObject & Sendable>: @unchecked Sendable {
    /// The object, or `nil` when it is gone.
    private(set) weak var object: Object?

    /// Creates a reference to nothing.
    init() {}

    /// Refers to an object from now on.
    func refer(to object: Object) {
        self.object = object
    }
}
