extension InspectCommand {
    /// The text that `--help` prints.
    static let help = """
        Prints the types, sizes and health of a store, or one of its entities. Writes nothing, and works while an app uses the
        store.

        USAGE: flatcache inspect FOLDER [--json]
               flatcache inspect FOLDER --entity TYPE ID

          FOLDER            the folder of a 'FileStore'
          --json            prints a JSON object instead of tables
          --entity TYPE ID  prints an entity as a JSON object: TYPE is its stored name, and ID its identifier as text, or as
                            JSON if it isn't a text

        For each type: its entities, the bytes of all its records, the version that wrote last, its lists and its references.
        For each log: its bytes, its batches, and the numbers of the first and the last one. Unprintable characters of names
        are shown as '\\u{…}'. Sealed records are left out, because only the app has their key.

        A torn tail is no error: the store cuts it when it is opened for writing. It can also be a batch that is being written.

        EXIT CODES: 0 success, 1 errors: damage, or a store, type or entity that doesn't exist or can't be read, 64 wrong
        arguments

        """
}
