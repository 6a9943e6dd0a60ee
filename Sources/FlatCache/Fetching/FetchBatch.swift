/// The requests that the next call of a fetcher will be for.
struct FetchBatch<Value: Cachable> {
    let number: Int
    /// The requests, with some of those that have ended since.
    private(set) var tickets: [FetchTicket<Value>] = []
    /// The number of those that have not.
    private(set) var count = 0
    private(set) var priority = TaskPriority.background
    /// The priorities of the turns that the batch was given, by the actors whose turns they are.
    ///
    /// Each that asks has one of its own, because another may be busy. The first that comes makes the call.
    private(set) var turns: [ObjectIdentifier?: TaskPriority] = [:]
    /// What waits for the end of the batch window, and its number; 0 for none.
    private(set) var timer: (number: Int, task: Task<Void, Never>?) = (0, nil)

    init(number: Int) {
        self.number = number
    }

    mutating func append(_ ticket: FetchTicket<Value>) {
        tickets.append(ticket)
        count += 1
        raise(to: ticket.priority)
    }

    mutating func raise(to priority: TaskPriority) {
        self.priority = max(self.priority, priority)
    }

    /// Notes that one of the requests has ended.
    mutating func removeOne(_ effects: inout FetchEffects<Value>) {
        count -= 1
        guard tickets.count > 2 * count + 16 else { return }
        effects.released.append(tickets)
        tickets.removeAll { $0.phase != .waiting }
    }

    /// The turn that the batch needs of an actor; `nil` when it has that.
    mutating func turn(of actor: ObjectIdentifier?) -> FetchTurn? {
        if let priority = turns[actor], priority >= self.priority { return nil }
        turns[actor] = priority
        return FetchTurn(batch: number, priority: priority)
    }

    /// Sees to it that the batch ends with its window.
    mutating func endAfter(_ window: Duration, _ lastTimer: inout Int, _ effects: inout FetchEffects<Value>) {
        let scheduled = turns.updateValue(priority, forKey: nil)
        if timer.number == 0 {
            lastTimer += 1
            timer.number = lastTimer
            effects.timers.append(
                FetchTimer(batch: number, number: lastTimer, window: window, priority: priority)
            )
        } else if let task = timer.task, let scheduled, scheduled < priority {
            effects.escalations.append((task, priority))
        }
    }

    /// Takes over the task of a timer, unless it is not wanted any more.
    mutating func setTask(_ task: Task<Void, Never>, of timer: Int) -> Bool {
        guard self.timer.number == timer else { return false }
        self.timer.task = task
        return true
    }

    /// Forgets turns and timer, because the fetcher is another one.
    mutating func unschedule(_ effects: inout FetchEffects<Value>) {
        stopTimer(&effects)
        turns = [:]
    }

    mutating func stopTimer(_ effects: inout FetchEffects<Value>) {
        if let task = timer.task { effects.cancelled.append(task) }
        timer = (0, nil)
    }
}
