import SeededRandom

@testable import FlatCache

/// What is compared with the server.
extension ListRun {
    /// Notes a fault if a cursor is that of an entity that isn't listed any more.
    func checkCursor(of request: GrowingServer.Request) {
        switch request {
        case .first, .around: break
        case .after(let id), .before(let id):
            if !list.contains(id), !pendingRemovals.contains(id) {
                faults.append("The cursor of \(id), which was removed, is sent")
            }
        }
    }

    /// Notes a fault if something is listed between two entities of a page that the server didn't have then.
    func checkPage(_ call: GrowingServer.Call) {
        let (ids, gaps) = (Array(list.ids), list.gaps)
        let page = call.ids.filter { list.contains($0) && !server.raised.contains($0) }
        for (first, second) in zip(page, page.dropFirst()) {
            guard let first = ids.firstIndex(of: first), let second = ids.firstIndex(of: second), first < second else {
                continue
            }
            let gone = ids[first..<second].filter { call.removed.contains($0) && brought.contains($0) }
            if !gone.isEmpty, !ids[first..<second].contains(where: gaps.contains) {
                faults.append("\(gone) is listed between \(ids[first]) and \(ids[second])")
            }
        }
    }

    /// Whether nothing is wrong.
    func check() -> Bool {
        let (ids, gaps) = (Array(list.ids), list.gaps)
        if Set(ids).count != ids.count { faults.append("An entity is listed twice") }
        if Set(gaps).count != gaps.count || !gaps.allSatisfy(ids.contains) { faults.append("There are other gaps") }
        // Where the others are isn't known.
        let others = removed.union(pendingRemovals).union(server.removed).union(server.raised)
        var above: Int?
        var hasGap = false
        for id in ids {
            if brought.contains(id), !server.removed.contains(id), !server.raised.contains(id) {
                if let above, above <= id, !hasGap { faults.append("\(above) is before \(id)") }
                if let above, above > id, !hasGap, !others.isSuperset(of: id + 1..<above) {
                    faults.append("Something between \(above) and \(id) is missing")
                }
                above = id
                hasGap = false
            }
            if gaps.contains(id) { hasGap = true }
        }
        if !list.hasMore, !hasGap, let above, !others.isSuperset(of: 0..<above) { faults.append("The end is missing") }
        return faults.isEmpty
    }

    /// Ends all calls, and loads what is missing.
    func finish() async throws {
        while !mutations.isEmpty { await endMutation(0) }
        while let call = server.waiting.first { await answer(call) }
        server.answersAtOnce()
        try await list.refresh(.insertAbove)
        for _ in 0..<500 {
            let (ids, gap) = (Array(list.ids), list.gaps.first)
            let below = gap.flatMap { ids.firstIndex(of: $0) }.flatMap { $0 + 1 < ids.count ? ids[$0 + 1] : nil }
            if let below, random.below(2) == 0 {
                try await list.loadPrevious(before: below)
            } else if let gap {
                try await list.loadMore(after: gap)
            } else if list.hasPrevious {
                try await list.loadPrevious()
            } else if list.hasMore {
                try await list.loadMore()
            }
        }
        var ids = Array(list.ids)
        log.append("in the end \(ids), gaps \(list.gaps), of \(server.ids)")
        if !list.gaps.isEmpty || list.hasMore || list.hasPrevious || list.isLoading {
            faults.append("The end isn't reached")
        }
        // What a mutation has put elsewhere than the server has left the list if a page doesn't have it there.
        let unknown = removed.union(server.added)
        if !unknown.union(ids).isSuperset(of: server.ids) { faults.append("Something is missing in the end") }
        let others = server.removed.union(server.raised)
        let natural = ids.filter { !others.contains($0) }
        if natural != natural.sorted(by: >) { faults.append("The order isn't that of the server in the end") }
        try await list.refresh()
        while list.hasMore { try await list.loadMore() }
        ids = Array(list.ids)
        if ids != server.ids { faults.append("\(ids) is loaded in the end, not \(server.ids)") }
    }
}
