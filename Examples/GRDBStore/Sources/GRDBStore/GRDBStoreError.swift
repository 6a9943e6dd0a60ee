/// The reason why a store could not be used, with the path of its folder.
public enum GRDBStoreError: Error, Hashable, CustomStringConvertible {
    /// Another store has the folder open for writing.
    case inUse(String)
    /// There is no database in the folder, and it was opened for reading.
    case missing(String)
    /// The store is not open.
    case notOpen(String)
    /// The store is open already.
    case alreadyOpen(String)
    /// The store is open for reading, or suspended.
    case notWritable(String)

    /// A message that describes the problem and the remedy.
    public var description: String {
        switch self {
        case .inUse(let folder):
            "Another store writes '\(folder)'. Close or suspend it, or open this one with '.readOnly'"
        case .missing(let folder):
            "There is no store in '\(folder)'. Open it with '.readWrite' once to create it"
        case .notOpen(let folder):
            "The store in '\(folder)' is not open. Call 'open(_:)' before"
        case .alreadyOpen(let folder):
            "The store in '\(folder)' is already open. Call 'close()' before"
        case .notWritable(let folder):
            "The store in '\(folder)' is open for reading, or suspended. Open it with '.readWrite', or call 'resume()'"
        }
    }
}
