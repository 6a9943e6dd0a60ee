extension Int {
    /// Returns the number with its noun: `1 reply`, `2 replies`.
    func counted(_ singular: String, _ plural: String) -> String {
        "\(self) \(self == 1 ? singular : plural)"
    }
}
