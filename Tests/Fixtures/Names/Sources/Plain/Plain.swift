public func plain() -> Int { 1 }
