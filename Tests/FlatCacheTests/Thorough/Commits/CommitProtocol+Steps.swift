extension CommitProtocol {
    /// The state after the next step of a thread; `nil` while it must wait.
    func stepped(_ thread: Int) -> CommitProtocol? {
        if threads[thread].step == Self.isDone { return nil }
        var next = self
        return next.step(thread) ? next : nil
    }

    private mutating func step(_ thread: Int) -> Bool {
        switch threads[thread].work {
        case .commit(let changed): stepCommit(thread, changed, from: 0)
        case .largeCommit(let changed): stepLargeCommit(thread, changed)
        case .read(let wanted): stepRead(thread, wanted)
        case .gets(let wanted): stepGets(thread, wanted)
        case .transaction(let reads, let writes): stepTransaction(thread, reads, writes)
        }
    }

    private mutating func advance(_ thread: Int) -> Bool {
        threads[thread].step += 1
        return true
    }

    private mutating func finish(_ thread: Int) -> Bool {
        threads[thread].step = Self.isDone
        return true
    }

    /// Lock all, draw, look for snapshots, change each, unlock each.
    private mutating func stepCommit(_ thread: Int, _ changed: [Int], from first: Int) -> Bool {
        let step = threads[thread].step - first
        let drawing = fault == .looksForSnapshotsBeforeDrawing ? 2 : 1
        switch step {
        case 0:
            guard changed.allSatisfy({ keys[$0].lock == nil }) else { return false }
            let isOpen = changed.allSatisfy { keys[$0].gate == nil }
            guard isOpen || fault == .writesBesideLargeCommit else { return false }
            for key in changed { keys[key].lock = thread }
            return advance(thread)
        case drawing:
            draw(thread, changed)
            return advance(thread)
        case 1, 2:
            threads[thread].limit = newestSnapshot
            if fault == .ignoresSnapshotThatIsBeingOpened, newestSnapshot == Self.isOpening {
                threads[thread].limit = 0
            }
            return advance(thread)
        case 3..<3 + changed.count:
            return exchange(changed[step - 3], thread) && advance(thread)
        default:
            for key in changed { keys[key].lock = nil }
            return finish(thread)
        }
    }

    /// Close the gate of each shard, publish with one step, change each, open the gates.
    private mutating func stepLargeCommit(_ thread: Int, _ changed: [Int]) -> Bool {
        let step = threads[thread].step
        let count = changed.count
        switch step {
        case 0..<count:
            let key = changed[step]
            guard keys[key].lock == nil, keys[key].gate == nil else { return false }
            keys[key].gate = thread
            return advance(thread)
        case count:
            guard historyLock == nil else { return false }
            if threads[thread].revision == 0 {
                draw(thread, changed)
                threads[thread].limit = newestSnapshot
                // One step more, in which a snapshot may be opened.
                if fault == .drawsLargeCommitBeforePublishing { return true }
            }
            threads[thread].isPublished = true
            return advance(thread)
        case count + 1..<2 * count + 1:
            let key = changed[step - count - 1]
            return keys[key].lock == nil && exchange(key, thread) && advance(thread)
        default:
            let key = changed[step - 2 * count - 1]
            guard keys[key].lock == nil else { return false }
            keys[key].gate = nil
            return step == 3 * count ? finish(thread) : advance(thread)
        }
    }

    /// Announce, take the last revision, open; read each; close, and prune each.
    private mutating func stepRead(_ thread: Int, _ wanted: [Int]) -> Bool {
        let step = threads[thread].step
        switch step {
        case 0..<3: return open(thread)
        case 3..<3 + wanted.count: return see(wanted[step - 3], thread) && advance(thread)
        default: return close(thread, from: 3 + wanted.count)
        }
    }

    private mutating func open(_ thread: Int) -> Bool {
        switch threads[thread].step {
        case 0:
            guard historyLock == nil else { return false }
            historyLock = thread
            if fault != .opensSnapshotWithoutAnnouncement { newestSnapshot = Self.isOpening }
        case 1:
            threads[thread].snapshot = lastRevision
        default:
            newestSnapshot = threads[thread].snapshot
            openSnapshots = (openSnapshots + [threads[thread].snapshot]).sorted()
            historyLock = nil
        }
        return advance(thread)
    }

    private mutating func see(_ key: Int, _ thread: Int) -> Bool {
        guard keys[key].lock == nil, let value = visible(key, at: threads[thread].snapshot) else { return false }
        threads[thread].seen.append(value)
        let expected = self.value(of: key, at: threads[thread].snapshot)
        if value != expected {
            complaint = "snapshot \(threads[thread].snapshot) shows \(value) under key \(key) instead of \(expected)"
        }
        return true
    }

    private mutating func close(_ thread: Int, from first: Int) -> Bool {
        let step = threads[thread].step - first
        if step == 0 {
            guard historyLock == nil else { return false }
            if let index = openSnapshots.firstIndex(of: threads[thread].snapshot) { openSnapshots.remove(at: index) }
            newestSnapshot = openSnapshots.last ?? 0
            threads[thread].registered = keys.indices.filter { keys[$0].isRegistered }
            return threads[thread].registered.isEmpty ? finish(thread) : advance(thread)
        }
        let key = threads[thread].registered[step - 1]
        guard keys[key].lock == nil, historyLock == nil else { return false }
        prune(key, of: threads[thread].snapshot)
        return step == threads[thread].registered.count ? finish(thread) : advance(thread)
    }

    /// Get one key after the other; a commit that was seen once is seen from then on.
    private mutating func stepGets(_ thread: Int, _ wanted: [Int]) -> Bool {
        let step = threads[thread].step
        let key = wanted[step]
        guard keys[key].lock == nil, let value = visible(key, at: nil) else { return false }
        for writer in threads[thread].seen where writer != 0 {
            guard let revision = log.firstIndex(where: { $0.values.contains(writer) }), log[revision][key] != nil,
                value != writer, let now = log.firstIndex(where: { $0[key] == value }) ?? (value == 0 ? -1 : nil)
            else { continue }
            if now < revision { complaint = "one commit is seen under one key, and not yet under key \(key)" }
        }
        threads[thread].seen.append(value)
        return step + 1 == wanted.count ? finish(thread) : advance(thread)
    }

    /// Read from a snapshot, then commit under locks if nothing has changed, and close the snapshot.
    private mutating func stepTransaction(_ thread: Int, _ reads: [Int], _ writes: [Int]) -> Bool {
        let step = threads[thread].step
        let begin = 3 + reads.count
        switch step {
        case 0..<3: return open(thread)
        case 3..<begin: return see(reads[step - 3], thread) && advance(thread)
        case begin..<begin + 4 + writes.count:
            if step == begin {
                let both = Set(reads + writes)
                guard both.allSatisfy({ keys[$0].lock == nil && keys[$0].gate == nil }) else { return false }
                let isCurrent = reads.allSatisfy { keys[$0].revision <= threads[thread].snapshot }
                if !isCurrent && fault != .validatesNothing {
                    // It would run again; once is enough here.
                    threads[thread].step = begin + 4 + writes.count
                    return true
                }
                for key in both { keys[key].lock = thread }
                return advance(thread)
            }
            if step == begin + 1 {
                // The commit is as if everything had been read now.
                for (place, key) in reads.enumerated() where threads[thread].seen[place] != keys[key].value {
                    complaint = "a transaction commits although key \(key) has changed since it was read"
                }
            }
            let isDone = step == begin + 3 + writes.count
            guard stepCommit(thread, writes, from: begin) else { return false }
            if isDone {
                for key in keys.indices where keys[key].lock == thread { keys[key].lock = nil }
                threads[thread].step = begin + 4 + writes.count
            }
            return true
        default: return close(thread, from: begin + 4 + writes.count)
        }
    }
}
