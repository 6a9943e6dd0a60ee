import FlatCacheCommands
import RelationshipGenerator

/// The copies of the generated accessors, which are committed for reviews.
struct ReviewCopies {
    /// A copy with its current and its expected contents.
    struct Copy {
        var target: String
        var path: String
        /// The bytes of the file, or `nil` when there is none.
        var current: [UInt8]?
        /// The bytes that the sources generate, or `nil` when there should be no copy.
        var wanted: [UInt8]?

        var isUpToDate: Bool { current == wanted }
    }

    private enum Place {
        case file(String)
        case folder(String)
    }

    private let targets: [TargetSources]
    private let place: Place
    /// Whether the command line selects some of the targets that may have a copy in the folder.
    private let isSelection: Bool

    /// The options for the locations of copies.
    static let options: [Arguments.Option] = [.copy, .copies, .only, .template]

    init(_ arguments: Arguments) throws(CommandError) {
        targets = arguments.targets
        isSelection = !arguments.only.isEmpty
        switch (arguments[.copy], arguments[.copies]) {
        case (let file?, nil):
            place = .file(file)
            guard targets.count == 1 else {
                throw .usage("'--copy' is for one target; write '--copies FOLDER' for several")
            }
        case (nil, let folder?): place = .folder(folder.hasSuffix("/") ? String(folder.dropLast()) : folder)
        case (nil, nil): throw .usage("'--copy FILE' or '--copies FOLDER' is missing")
        case (_?, _?): throw .usage("'--copy' and '--copies' can't be combined; write one of them")
        }
    }

    /// The existing and the expected copies, ordered by path.
    ///
    /// - Returns: The copies of targets without errors, and the errors of the others.
    func all() throws(CommandError) -> (copies: [Copy], errors: [Diagnostic]) {
        var copies: [Copy] = []
        var errors: [Diagnostic] = []
        for target in targets {
            let path = path(of: target.target)
            guard isApart(path, from: target) else {
                throw .file(path, "the copy is one of the sources; keep it in a folder that the target excludes")
            }
            let generator = try target.generator(naming: File.displayedPath)
            let sources = try target.read(naming: File.displayedPath)
            do throws(RelationshipGenerator.Failure) {
                let text = try wanted(sources, generator)
                copies.append(Copy(target: target.target, path: path, wanted: text.map { Array($0.utf8) }))
            } catch {
                errors += error.diagnostics
            }
        }
        if !isSelection { copies += try obsolete() }
        for index in copies.indices where File.exists(copies[index].path) {
            copies[index].current = try File.read(copies[index].path)
        }
        return (copies.filter { $0.current != nil || $0.wanted != nil }.sorted { $0.path < $1.path }, errors)
    }

    /// Whether a copy may be written here: it must not overwrite a source, and the build must not compile it.
    private func isApart(_ path: String, from target: TargetSources) -> Bool {
        switch place {
        case .file: !target.hasWrittenSource(path)
        case .folder: !target.paths.contains(path)
        }
    }

    private func wanted(
        _ sources: [RelationshipGenerator.Source],
        _ generator: RelationshipGenerator
    ) throws(RelationshipGenerator.Failure) -> String? {
        switch place {
        case .file: try generator.generate(from: sources)
        case .folder: try generator.generateIfNeeded(from: sources)
        }
    }

    private static let ending = "+Relationships.swift"

    private func path(of target: String) -> String {
        switch place {
        case .file(let path): path
        case .folder(let folder): "\(folder)/\(target)\(Self.ending)"
        }
    }

    /// The copies in the folder whose targets don't exist any more.
    private func obsolete() throws(CommandError) -> [Copy] {
        guard case .folder(let folder) = place else { return [] }
        let known = Set(targets.map { $0.target + Self.ending })
        return try File.names(in: folder).filter { $0.hasSuffix(Self.ending) && !known.contains($0) }.map { name in
            Copy(target: String(name.dropLast(Self.ending.count)), path: "\(folder)/\(name)")
        }
    }
}
