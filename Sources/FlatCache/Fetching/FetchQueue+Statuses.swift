extension FetchQueue {
    /// Tells observers that entities are being loaded, in one commit.
    ///
    /// Several requests may announce one ticket: none waits until another has notified the observers.
    func announce(_ tickets: [FetchTicket<Value>], in cache: FlatCache) {
        guard !tickets.isEmpty else { return }
        cache.commit { _ in
            // Another request may have announced a ticket meanwhile, and its call be over.
            for ticket in look({ _ in tickets.filter { $0.phase == .announcing } }) {
                let earlier = cache.get(FetchStatus<Value>.self, id: ticket.id)
                if let earlier, earlier.ticket >= ticket.number { continue }
                cache.set(
                    FetchStatus<Value>(
                        id: ticket.id,
                        ticket: ticket.number,
                        error: earlier?.error,
                        errorTicket: earlier?.errorTicket ?? 0
                    )
                )
            }
        }
    }

    /// Tells observers that entities aren't being loaded any more, in one commit.
    ///
    /// - Parameter error: Why an entity could not be loaded; `nil` leaves an earlier error.
    func end(_ tickets: [FetchTicket<Value>], _ error: ((FlatCacheKey) -> FetchError)? = nil) {
        guard !tickets.isEmpty, let cache = cache.object else { return }
        cache.commit { _ in
            for ticket in tickets { cache.endStatus(of: ticket, error?(ticket.handle.key)) }
        }
        if error != nil { noteErrors(tickets.count) }
    }
}

extension FlatCache {
    /// Notes that an entity isn't being loaded any more, unless a newer request says otherwise.
    func endStatus<Value>(of ticket: FetchTicket<Value>, _ error: FetchError?) {
        guard var status = get(FetchStatus<Value>.self, id: ticket.id), status.ticket == ticket.number else { return }
        status.isLoading = false
        if let error {
            status.error = error
            status.errorTicket = ticket.number
        }
        if status.error == nil { remove(FetchStatus<Value>.self, id: ticket.id) } else { set(status) }
    }

    /// Notes that an entity has come, and that what went wrong before is past, unless a newer request says otherwise.
    func clearStatus<Value>(of ticket: FetchTicket<Value>) {
        guard let status = get(FetchStatus<Value>.self, id: ticket.id), status.ticket == ticket.number else { return }
        remove(FetchStatus<Value>.self, id: ticket.id)
    }

    /// Makes changes of the library's own in one commit, which is no part of a transaction that the caller is in.
    ///
    /// - Parameter body: Makes the changes; may run more than once.
    /// - Returns: The number of the commit; 0 when nothing was changed.
    @discardableResult
    func commit(_ body: (Draft) -> Void) -> UInt64 {
        // Who isn't in a body waits for those that have reserved what they read.
        if history.snapshotOfThread != nil {
            return RunningBody.runOutside(of: history.object) { commit(body) }
        }
        var last: Draft?
        commitTogether {
            last = history.draftOfThread
            if let last { body(last) }
        }
        return last?.revision ?? 0
    }
}
