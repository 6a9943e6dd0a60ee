import FlatCache
import Many

FlatCache.current.set(Model0(id: 0))
print(Model1600(id: 1).next?.id ?? 1)
