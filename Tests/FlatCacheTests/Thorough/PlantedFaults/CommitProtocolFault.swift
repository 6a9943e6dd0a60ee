/// Ways to break the commit protocol, which the search through all orders of its steps must find.
enum CommitProtocolFault: PlantedFault {
    case looksForSnapshotsBeforeDrawing
    case ignoresSnapshotThatIsBeingOpened
    case opensSnapshotWithoutAnnouncement
    case writesBesideLargeCommit
    case publishesLargeCommitInPieces
    case drawsLargeCommitBeforePublishing
    case validatesNothing
    case dropsWhatOlderSnapshotsShow
    case keepsForClosedSnapshot

    func isFound() -> Bool {
        CommitProtocolTests.programs.contains { CommitProtocol(keys: 2, $0, fault: self).explore().complaint != nil }
    }
}
