import FlatCache
import Left
import Odd
import Plain
import Right

FlatCache.current.set(contentsOf: [Left.Author(id: 4)])
FlatCache.current.set(contentsOf: [Right.Author(id: 5)])
FlatCache.current.set(contentsOf: [Odd.Überschrift(id: 7)])
print(
    plain(),
    Left.Post(id: 1).related?.id ?? 0,
    Right.Post(id: 1).related?.id ?? 0,
    Right.Comment(id: 1).related?.id ?? 0,
    Odd.Äußerung(id: 1).related?.id ?? 0,
    Odd.Link().author?.id ?? 0
)
