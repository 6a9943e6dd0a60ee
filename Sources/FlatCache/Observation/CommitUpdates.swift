/// An asynchronous sequence with an element for each commit, which throws an error if too many commits wait.
///
///     for try await changes in cache.changes(ofAll: Post.self, buffering: .each(atMost: 1_000)) {
///         log.append(changes.revision, changes.origin, changes.updated)
///     }
///
/// Each iterator observes separately, and stops when it is released or its task is cancelled. The sequence doesn't keep the
/// cache alive. When the cache is deallocated, it delivers the waiting commits and ends.
///
/// Create sequences with ``FlatCache/changes(ofAll:buffering:)``.
public struct CommitUpdates<Element: Sendable>: AsyncSequence, Sendable {
    /// The error of an iterator that is too slow.
    public typealias Failure = FlatCache.OverflowError

    private let updates: CacheUpdates<Result<Element, FlatCache.OverflowError>>

    /// Creates a sequence of the elements and the error that another sequence has.
    init(_ updates: CacheUpdates<Result<Element, FlatCache.OverflowError>>) {
        self.updates = updates
    }

    /// Returns an iterator, which begins to observe.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(updates: updates.makeAsyncIterator()) }

    /// An iterator that waits for the elements.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var updates: CacheUpdates<Result<Element, FlatCache.OverflowError>>.AsyncIterator

        /// Returns the element of the next commit, after waiting for one if necessary.
        ///
        /// - Parameter actor: The actor of the caller.
        /// - Returns: The element, or `nil` if the cache is deallocated, the task is cancelled, or the error was thrown.
        /// - Throws: A ``FlatCache/OverflowError``, once, in place of the first commit that found no place.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(FlatCache.OverflowError) -> Element? {
            try await updates.next(isolation: actor)?.get()
        }

        /// Returns the element of the next commit, after waiting for one if necessary.
        ///
        /// - Returns: The element, or `nil` if the cache is deallocated, the task is cancelled, or the error was thrown.
        /// - Throws: A ``FlatCache/OverflowError``, once, in place of the first commit that found no place.
        public mutating func next() async throws(FlatCache.OverflowError) -> Element? {
            try await next(isolation: nil)
        }
    }
}

extension FlatCache {
    /// The buffer of a sequence that delivers each commit.
    public struct Buffering: Hashable, Sendable {
        let limit: Int

        /// A buffer of each commit separately, up to a number of commits.
        ///
        /// - Parameter limit: The number of commits that may wait. A number below 1 counts as 1.
        public static func each(atMost limit: Int) -> Buffering { Buffering(limit: max(limit, 1)) }
    }

    /// The error of a sequence whose iterator was so slow that more commits waited than its buffer takes.
    public struct OverflowError: Error, Hashable, Sendable {
        /// The number of commits that may wait.
        public let limit: Int
    }
}

extension FlatCache.OverflowError: CustomStringConvertible {
    /// A message that describes the problem and the remedy.
    public var description: String {
        """
        More than \(Summary.count(limit, "commit")) waited for a sequence of changes. Read the stored entities and begin a \
        new sequence, with a larger buffer or a faster loop, or without 'buffering', so that waiting commits are folded
        """
    }
}

extension CommitUpdates: CustomStringConvertible, CustomReflectable {
    /// A line with the type of the elements: `CommitUpdates<Blog.Post>`.
    public var description: String { Summary.line(Summary.name("CommitUpdates", of: Element.self)) }

    /// No members, so that `dump` prints the line alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
