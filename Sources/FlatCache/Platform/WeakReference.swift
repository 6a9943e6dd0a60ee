/// A weak reference that can be shared.
///
/// Reading a weak variable is safe from any thread. It is only written in the initializer of the object, before other
/// threads can access it.
final class WeakReference<Object: AnyObject & Sendable>: @unchecked Sendable {
    /// The object, or `nil` after it is deallocated.
    private(set) weak var object: Object?

    /// Creates a reference to nothing.
    init() {}

    /// Sets the object.
    func refer(to object: Object) {
        self.object = object
    }
}
