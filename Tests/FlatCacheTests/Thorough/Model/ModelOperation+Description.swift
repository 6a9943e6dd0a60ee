extension ModelOperation: CustomStringConvertible {
    /// The operation, those inside it indented.
    var description: String {
        ([title] + Self.lines(of: inner).map { "    \($0)" }).joined(separator: "\n")
    }

    /// Several operations, a line or more for each.
    static func description(of operations: [ModelOperation]) -> String {
        operations.map(\.description).joined(separator: "\n")
    }

    private static func lines(of operations: [ModelOperation]) -> [Substring] {
        description(of: operations).split(separator: "\n")
    }

    private var title: String {
        switch self {
        case .set, .setMany, .update, .remove, .removeAll, .removeAllOf, .changeList, .changeName: writeTitle
        case .get, .getAll, .getMany, .contains, .missing, .counts, .allValues, .allKeys: readTitle
        case .makeHandle, .readHandle, .writeHandle, .releaseHandle: handleTitle
        case .observe, .observeMany, .observeHandle, .observeDerived, .cancel, .releaseSubscription, .cancelSelf:
            observerTitle
        case .iterateValues, .iterateChanges, .iterateDerived, .next, .releaseIterator: iteratorTitle
        case .transaction(let body): "transaction\(body.note)"
        case .read(let body): "read\(body.note)"
        case .elsewhere: "in the other cache"
        case .fail: "throw"
        }
    }

    private var writeTitle: String {
        switch self {
        case .set(let entity): "set \(entity)"
        case .setMany(_, let entities): "set many \(entities)"
        case .update(let update): update.title
        case .remove(let key): "remove \(key)"
        case .removeAll: "remove all"
        case .removeAllOf(let kind): "remove all of \(kind)"
        case .changeList(let number, let change): "list \(number): \(change)"
        case .changeName(let number, let change): "name \(number): \(change)"
        default: ""
        }
    }

    private var readTitle: String {
        switch self {
        case .get(let key): "get \(key)"
        case .getAll: "get all"
        case .getMany(let kind, let numbers): "get of \(kind) \(numbers)"
        case .contains(let key): "contains \(key)"
        case .missing(let kind, let numbers): "missing of \(kind) \(numbers)"
        case .counts: "counts"
        case .allValues(let kind): "all values of \(kind)"
        case .allKeys(let kind): "all keys of \(kind)"
        default: ""
        }
    }

    private var handleTitle: String {
        switch self {
        case .makeHandle(let key): "make handle of \(key)"
        case .readHandle(let number): "read handle #\(number)"
        case .writeHandle(let number, nil, _): "write nil to handle #\(number)"
        case .writeHandle(let number, let content?, let other):
            "write \(content) to handle #\(number)\(other.map { ", as number \($0)" } ?? "")"
        case .releaseHandle(let number): "release handle #\(number)"
        default: ""
        }
    }

    private var observerTitle: String {
        switch self {
        case .observe(let key, let script): "observe \(key)\(script.note)"
        case .observeMany(let keys, let script): "observe \(keys)\(script.note)"
        case .observeHandle(let number, let script): "observe handle #\(number)\(script.note)"
        case .observeDerived(let expression, let script): "observe what is derived: \(expression)\(script.note)"
        case .cancel(let number): "cancel #\(number)"
        case .releaseSubscription(let number): "release subscription #\(number)"
        case .cancelSelf: "cancel itself"
        default: ""
        }
    }

    private var iteratorTitle: String {
        switch self {
        case .iterateValues(let key): "iterate over values of \(key)"
        case .iterateChanges(let keys): "iterate over changes of \(keys)"
        case .iterateDerived(let expression): "iterate over what is derived: \(expression)"
        case .next(let number): "next of iterator #\(number)"
        case .releaseIterator(let number): "release iterator #\(number)"
        default: ""
        }
    }
}

extension ModelUpdate {
    fileprivate var title: String {
        let name =
            switch target {
            case .key(let key): "\(key)"
            case .handle(let number): "handle #\(number)"
            }
        let storing = related.map { ", storing \($0.entities)" } ?? ""
        return "update \(name): \(change)\(storing)\(body.note)"
    }
}

extension ModelBody {
    fileprivate var note: String { catches ? ", catching" : "" }
}

extension ModelScript {
    fileprivate var note: String {
        operations.isEmpty ? "" : ", from call \(firstCall) on (script \(number)):"
    }
}
