extension History {
    /// The types of entities in a history.
    enum Kind: Int, CaseIterable, Sendable {
        case counter, post
    }

    /// A key in a history: a type and one of a few numbers.
    struct Key: Hashable, Sendable {
        static let numbers = 0..<3
        static let all = Kind.allCases.flatMap { kind in numbers.map { Key(kind, $0) } }

        let kind: Kind
        let number: Int

        init(_ kind: Kind, _ number: Int) {
            self.kind = kind
            self.number = number
        }
    }

    /// One operation of a cache, whose entities are reduced to the number they carry.
    enum Step: Sendable {
        case get(Key)
        /// A read through a handle or an observer that is made for it, and released some time later.
        case getThrough(Medium, Key)
        case contains(Key)
        case allValues(Kind)
        case count(Kind)
        case set(Key, Int)
        case setSeveral(Kind, [Int: Int])
        case remove(Key)
        case removeAll(Kind)
        case removeEverything
        /// An update that returns what it saw, and stores that with two digits more.
        ///
        /// So the value shows who wrote, in which order, and doesn't come back.
        case update(Key, appending: Int)
        /// The same through a handle, which stores another entity in the same commit; neither if there is no first one.
        case updateStoring(Key, appending: Int, Key, Int)
        /// An update whose body throws after it has changed the value.
        case failingUpdate(Key)
    }

    /// What else than the cache can be read.
    enum Medium: Sendable {
        case handle, observer
    }

    /// What a thread calls.
    indirect enum Call: Sendable {
        case step(Step)
        case transaction([Call], fails: Bool = false)
        case read([Call])
        /// Something that the body of a read does to the cache and that is not part of the read.
        case aside(Call)
        /// A moment in which others may run, and no call of the cache.
        case pause(Int)
    }

    /// What one step returns.
    enum Observation: Hashable, Sendable {
        case nothing
        case value(Int?)
        case presence(Bool)
        /// By the numbers of the keys.
        case values([Int: Int])
        case count(Int)
        /// An update threw after it had seen this.
        case failure(Int?)
    }

    /// What an update writes that saw a value.
    static func appending(_ digits: Int, to value: Int) -> Int { value &* 100 &+ digits }
}

extension History.Step {
    /// The only key that the step concerns; `nil` when it concerns several.
    var key: History.Key? {
        switch self {
        case .get(let key), .getThrough(_, let key), .contains(let key), .set(let key, _), .remove(let key),
            .update(let key, _), .failingUpdate(let key):
            key
        case .updateStoring, .allValues, .count, .setSeveral, .removeAll, .removeEverything: nil
        }
    }

    /// Whether the step leaves every state as it is.
    var isReading: Bool {
        switch self {
        case .get, .getThrough, .contains, .allValues, .count, .failingUpdate: true
        case .set, .setSeveral, .remove, .removeAll, .removeEverything, .update, .updateStoring: false
        }
    }
}

extension History.Call {
    /// The only key that the call concerns; `nil` when it concerns several.
    var key: History.Key? {
        if case .step(let step) = self { step.key } else { nil }
    }

    /// Whether the call leaves every state as it is.
    var isReading: Bool {
        switch self {
        case .step(let step): step.isReading
        case .transaction(let calls, let fails): fails || calls.allSatisfy(\.isReading)
        case .read(let calls): calls.allSatisfy(\.isReading)
        case .aside, .pause: true
        }
    }
}
