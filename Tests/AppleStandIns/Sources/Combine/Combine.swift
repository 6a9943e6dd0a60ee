// Stands in for Apple's Combine, whose interface and behaviour OpenCombine has.
@_exported public import OpenCombine
