import RelationshipGenerator

/// What was found out about a random target.
enum Verdict {
    case fine
    /// What is wrong, and with which files.
    case wrong(String, files: [RenderedFile])
}

extension Sketch {
    /// Runs the generator over files.
    static func generate(
        _ files: [RenderedFile],
        _ template: String
    ) -> Result<String, RelationshipGenerator.Failure> {
        Result { () throws(RelationshipGenerator.Failure) in
            try RelationshipGenerator(target: module, template: template).generate(
                from: files.map { RelationshipGenerator.Source(path: $0.name, text: Array($0.text.utf8)) }
            )
        }
    }

    /// Expects that the target compiles with the accessors and their use.
    func verdict(_ compiler: Compiler) -> Verdict {
        var files = rendered()
        switch Self.generate(files, compiler.template) {
        case .failure(let failure):
            return .wrong(failure.diagnostics.map(\.description).joined(separator: "\n"), files: files)
        case .success(let accessors):
            files.append(RenderedFile(name: "\(Self.module)+Relationships.swift", text: accessors))
            files.append(RenderedFile(name: "Usage.swift", text: usage()))
            guard let errors = compiler.errors(in: files, mode) else { return .fine }
            return .wrong(errors, files: files)
        }
    }

    /// Expects one error, in the line of the mistake.
    func verdictOnMistake(_ template: String) -> Verdict {
        guard let mistake = mistake?.mistake else { return .fine }
        var files = rendered()
        let expected = Self.takeMark(from: &files)
        files.append(RenderedFile(name: "Wrong.swift", text: "import FlatCache\n" + Mistake.support))
        switch Self.generate(files, template) {
        case .success:
            return .wrong("'\(mistake.name)' is not reported", files: files)
        case .failure(let failure):
            let reported = failure.diagnostics.map { "\($0.path):\($0.location.line)" }
            let said = failure.diagnostics.map(\.description).joined(separator: "\n")
            if reported == [expected ?? reported.first ?? ""], said.contains(mistake.message) { return .fine }
            return .wrong(
                "'\(mistake.name)', expected at \(expected ?? "?") with \"\(mistake.message)\":\n\(said)",
                files: files
            )
        }
    }

    /// Removes the mark of the line where the error is expected, and returns that line.
    private static func takeMark(from files: inout [RenderedFile]) -> String? {
        for index in files.indices {
            guard let range = files[index].text.firstRange(of: mark) else { continue }
            let line = files[index].text[..<range.lowerBound].filter(\.isNewline).count + 1
            files[index].text.removeSubrange(range)
            return "\(files[index].name):\(line)"
        }
        return nil
    }
}
