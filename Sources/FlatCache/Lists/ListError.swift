/// The reason why a list can't be loaded.
///
/// The errors of a loader are thrown as they are.
public enum ListError: Error, Hashable, Sendable {
    /// No loader is set for the list with this name.
    case noLoader(String)
    /// Nothing is stored under the name, and the policy doesn't allow a call of the loader.
    case notLoaded(String)
    /// The loader of the list with this name would wait for itself.
    ///
    /// A loader that waits for a page of its own list, directly or through fetchers and other loaders, can wait forever. The
    /// request that closes the cycle throws this error instead, for whatever place of the list. If it is the request of an
    /// entity, it throws ``FetchError/cyclic(_:)``, which says what counts as a request of the loader.
    ///
    /// A `Task` that the loader starts may load the list, but then the loader must not wait for this task.
    case cyclic(String)
    /// The loader of the list with this name can't be asked for the page around an entity, because it takes only cursors.
    case cursorsOnly(String)
    /// The loader of the list with this name has thrown ``FlatCache/FlatCache/NotModified`` for a page that the list doesn't have.
    ///
    /// Send a tag only for the first page, and only while the ``CachedList/age`` is known.
    case unmodified(String)
    /// The cache of the list with this name is deallocated.
    case cacheGone(String)
}

extension ListError: CustomStringConvertible {
    /// A message that describes the problem and the remedy.
    public var description: String {
        switch self {
        case .noLoader(let name): "The list '\(name)' has no loader. Call 'setLoader' before it is loaded"
        case .notLoaded(let name):
            "The list '\(name)' isn't stored, and the policy doesn't allow to load it. Use another policy, such as 'cacheFirst'"
        case .cyclic(let name):
            """
            The list '\(name)' can't be loaded from inside a call of its own loader: the two would wait for each other. Return \
            the entities from that loader, or load the list after it
            """
        case .cursorsOnly(let name):
            """
            The list '\(name)' can't be opened around an entity, because its loader takes only cursors. Set a loader that takes a \
            'ListPageRequest'
            """
        case .unmodified(let name):
            """
            The loader of the list '\(name)' says that a page isn't modified, but the list doesn't have it. Send a tag only for the \
            first page, and only while the list's 'age' isn't nil
            """
        case .cacheGone(let name):
            "The cache of the list '\(name)' is deallocated. Keep the cache while the list is loaded"
        }
    }
}
