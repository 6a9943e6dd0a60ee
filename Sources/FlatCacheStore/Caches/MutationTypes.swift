internal import Dispatch
internal import FlatCache

/// The registered types of the mutations of a cache, by which those of an earlier process are begun again.
final class MutationTypes: @unchecked Sendable {  // The lock guards the variables.
    private let queue: DispatchQueue
    private let report: @Sendable (StoreError) -> Void
    private let lock = Lock()
    private var types: [String: any StorableMutation.Type] = [:]
    /// The types whose names others have.
    private var refused: Set<ObjectIdentifier> = []

    /// Creates an empty collection.
    ///
    /// - Parameters:
    ///   - queue: The queue on which errors are reported.
    ///   - report: The handler of errors.
    init(reportingOn queue: DispatchQueue, _ report: @escaping @Sendable (StoreError) -> Void) {
        self.queue = queue
        self.report = report
    }

    /// Registers types, and begins their mutations again.
    ///
    /// - Returns: Whether all of them are registered.
    func register(_ new: [any StorableMutation.Type], in cache: FlatCache) -> Bool {
        var hasNew = false
        var areAll = true
        for type in new {
            let name = type.storedName
            let (other, isRefused) = lock.withLock {
                let other = types[name]
                if other == nil { types[name] = type }
                return (other, other.map { $0 != type && refused.insert(ObjectIdentifier(type)).inserted } ?? false)
            }
            if other == nil { hasNew = true } else if other != type { areAll = false }
            if let other, isRefused { reportSoon(.duplicateMutationName(name, first: other, second: type)) }
        }
        if hasNew { replay(in: cache) }
        return areAll
    }

    /// Begins the mutations of registered types again that an earlier process, or another one, has begun.
    func replay(in cache: FlatCache) {
        cache.replayMutations { [self] waiting in
            let content = waiting.content
            guard waiting.error == nil, let type = lock.withLock({ types[content.name] }) else { return nil }
            do { return try content.mutation(as: type) } catch {
                waiting.error = error
                reportSoon(.unreadableMutation(content.name, idempotencyKey: content.id, error))
                return nil
            }
        }
    }

    private func reportSoon(_ error: StoreError) { queue.async { [report] in report(error) } }
}
