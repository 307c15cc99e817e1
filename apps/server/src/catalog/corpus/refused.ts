/** Statements that the catalog refuses with 0A000, by their ids, each with its reason. */
export const refused: Readonly<Record<string, string>> = {};
