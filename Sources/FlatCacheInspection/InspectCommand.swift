package import FlatCacheCommands
import FlatCacheStore
import Foundation

/// `flatcache inspect`: prints what is in the folder of a store, or one of its entities, and writes nothing.
package struct InspectCommand {
    /// The command for the programs that have it.
    package static var command: Command {
        Command(
            name: "inspect",
            usage: "inspect FOLDER",
            summary: "prints the types, sizes and health of a store, or one of its entities, and writes nothing",
            help: help
        ) { arguments throws(CommandError) in
            try InspectCommand(InspectArguments(arguments)).run()
        }
    }

    private let arguments: InspectArguments

    private init(_ arguments: InspectArguments) {
        self.arguments = arguments
    }

    private func run() throws(CommandError) -> Outcome {
        do {
            let store = try openStore()
            let health = StoreHealth(store.inspection)
            var outcome = try output(of: store, health)
            if health.isDamaged {
                outcome.status = .findings
                outcome.messages.insert("\(arguments.folder): error: \(health)", at: 0)
            }
            return outcome
        } catch let error as CommandError {
            throw error
        } catch {
            throw .file(arguments.folder, Self.message(of: error))
        }
    }

    private func openStore() throws -> InspectedStore {
        var isFolder = ObjCBool(false)
        guard FileManager.default.fileExists(atPath: arguments.folder, isDirectory: &isFolder) else {
            throw CommandError.file(arguments.folder, "folder does not exist")
        }
        guard isFolder.boolValue else {
            throw CommandError.file(arguments.folder, "path is a file; name the folder of a store")
        }
        return try InspectedStore(URL(fileURLWithPath: arguments.folder, isDirectory: true))
    }

    private func output(of store: InspectedStore, _ health: StoreHealth) throws -> Outcome {
        guard let (type, id) = arguments.entity else {
            let report = try StoreReport(store, health)
            return Outcome(output: arguments.isJSON ? report.json : report.text)
        }
        do {
            let entity = try EntitySearch(in: store).entity(of: type, id: id)
            return outcome(entity.json, problem: entity.problem)
        } catch let failure as EntitySearch.Failure {
            return outcome(problem: failure.description)
        }
    }

    private func outcome(_ output: String = "", problem: String?) -> Outcome {
        var outcome = Outcome(output: output)
        if let problem {
            outcome.status = .findings
            outcome.messages = ["\(arguments.folder): error: \(problem)"]
        }
        return outcome
    }

    private static func message(of error: any Error) -> String {
        if case FileStoreError.missing = error {
            return "folder has no store; name the folder with which its 'FileStore' was created"
        }
        return "\(error)".withLowercasedFirstLetter
    }
}
