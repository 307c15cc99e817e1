/** Statements that the catalog refuses with 0A000, by their ids, each with its reason. */
export const refused: Readonly<Record<string, string>> = {
  "jetbrains.time-zones": "the time zones of a machine are not in the catalog",
  "superset.cancel":
    "nobody ends another connection; Superset takes an error for a query that it could not cancel",
};
