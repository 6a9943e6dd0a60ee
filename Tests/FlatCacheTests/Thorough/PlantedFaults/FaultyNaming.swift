import FlatCache

/// A cache with wrong lists and names.
final class FaultyNaming: ModelSubject {
    private let fault: ModelFault

    init(_ fault: ModelFault) {
        self.fault = fault
    }

    override func changeList(_ number: Int, _ change: ModelListChange) -> Bool? {
        let list = list(number)
        switch (fault, change) {
        case (.appendsDuplicates, .append(let entities)):
            let ids = entities.map { Post.ids[$0.key.number] }
            super.setMany(.post, entities)
            list.update { listed in listed = listed.filter { !ids.contains($0) } + ids }
            return nil
        case (.prependsReversed, .prependIDs(let numbers)):
            return super.changeList(number, .prependIDs(numbers.reversed()))
        case (.movesBehind, .move(let moved, let other?)):
            let result = super.changeList(number, change)
            list.update { ids in
                guard let place = ids.firstIndex(of: Post.ids[other]), place > 0, moved != other, result == true else {
                    return
                }
                ids.swapAt(place, place - 1)
            }
            return result
        case (.storesPageSeparately, .append(let entities)):
            setMany(.post, entities)
            return super.changeList(number, .appendIDs(entities.map(\.key.number)))
        default: return super.changeList(number, change)
        }
    }

    override func changeName(_ number: Int, _ change: ModelNameChange) {
        switch (fault, change) {
        case (.namesSeparately, .value(let entity)):
            set(entity)
            super.changeName(number, .id(entity.key.number))
        case (.keepsNameOfNothing, .id(nil)): break
        default: super.changeName(number, change)
        }
    }
}
