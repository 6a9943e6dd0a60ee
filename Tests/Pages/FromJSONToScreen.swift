import FlatCache

let oldIDs = ["2"]
