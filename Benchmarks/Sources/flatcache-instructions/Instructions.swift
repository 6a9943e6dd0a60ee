@main enum I { static func main() {} }
