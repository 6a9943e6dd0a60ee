extension History {
    /// The sequential cache: what every operation does and returns when nothing else goes on.
    struct State: Hashable, Sendable {
        private var values: [Int?]

        init(_ values: [Key: Int] = [:]) {
            self.values = Key.all.map { values[$0] }
        }

        subscript(key: Key) -> Int? {
            get { values[State.index(of: key)] }
            set { values[State.index(of: key)] = newValue }
        }

        private static func index(of key: Key) -> Int { key.kind.rawValue * Key.numbers.count + key.number }

        /// Does a call as a whole.
        ///
        /// - Returns: What its steps return, in their order.
        mutating func perform(_ call: Call) -> [Observation] {
            switch call {
            case .step(let step): return [perform(step)]
            case .read(let calls): return perform(calls)
            case .transaction(let calls, let fails):
                let before = self
                let observations = perform(calls)
                if fails { self = before }
                return observations
            case .aside, .pause: return []
            }
        }

        private mutating func perform(_ calls: [Call]) -> [Observation] {
            var observations: [Observation] = []
            for call in calls { observations += perform(call) }
            return observations
        }

        mutating func perform(_ step: Step) -> Observation {
            switch step {
            case .get(let key), .getThrough(_, let key): return .value(self[key])
            case .contains(let key): return .presence(self[key] != nil)
            case .allValues(let kind): return .values(stored(of: kind))
            case .count(let kind): return .count(stored(of: kind).count)
            case .set(let key, let value):
                self[key] = value
                return .nothing
            case .setSeveral(let kind, let values):
                for (number, value) in values { self[Key(kind, number)] = value }
                return .nothing
            case .remove(let key):
                let removed = self[key]
                self[key] = nil
                return .value(removed)
            case .removeAll(let kind):
                for number in Key.numbers { self[Key(kind, number)] = nil }
                return .nothing
            case .removeEverything:
                self = State()
                return .nothing
            case .update(let key, let digits):
                let seen = self[key]
                self[key] = seen.map { History.appending(digits, to: $0) }
                return .value(seen)
            case .updateStoring(let key, let digits, let other, let value):
                let seen = perform(.update(key, appending: digits))
                if self[key] != nil { self[other] = value }
                return seen
            case .failingUpdate(let key):
                return .failure(self[key])
            }
        }

        /// The values of a kind by the numbers of their keys.
        private func stored(of kind: Kind) -> [Int: Int] {
            var stored: [Int: Int] = [:]
            for number in Key.numbers { stored[number] = self[Key(kind, number)] }
            return stored
        }
    }
}
