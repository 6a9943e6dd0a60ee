extension Slot {
    /// Removes an observer from the list of a locked slot.
    ///
    /// - Parameter mayHaveMoved: Whether the observer can be in the list of another slot, whose lock guards its position.
    /// - Returns: The slots to which the observer may have moved, or none if it was in the list.
    func remove(_ observer: any SlotObserver, mayHaveMoved: Bool = false) -> [Slot] {
        let heirs = extras?.heirs ?? []
        guard let observers else { return heirs }
        if mayHaveMoved || !heirs.isEmpty {
            if observers.remove(where: { $0 === observer }).isEmpty { return heirs }
        } else {
            observers.remove(observer)
        }
        if observers.list.isEmpty { setObservers(nil) }
        return []
    }

    /// Removes those observers from the list of a locked slot that follow the replacement of its identifier.
    ///
    /// - Parameter isTaken: An additional condition.
    func takeFollowers(where isTaken: (any SlotObserver) -> Bool) -> [any SlotObserver] {
        guard let observers else { return [] }
        let taken = observers.remove { $0.followsReplacement && isTaken($0) }
        if observers.list.isEmpty { setObservers(nil) }
        return taken
    }

    /// Adds observers that were in the list of another slot.
    ///
    /// Both slots must be locked. Observers that have ended meanwhile aren't added.
    func add(_ followers: [any SlotObserver], from other: Slot) {
        if followers.isEmpty { return }
        let running = followers.filter { !$0.calls.areEnded }
        if !running.isEmpty {
            let observers = observers ?? SlotObservers()
            for follower in running { observers.append(follower) }
            setObservers(observers)
        }
        // The registrations of all followers refer to the other slot, which these references keep.
        let extras = other.makeExtras()
        if extras.heirs.contains(self) { return }
        extras.heirs.append(self)
        // It keeps the slot, but not the entity.
        pins += 1
        noteMark(isNew: true)
    }
}
