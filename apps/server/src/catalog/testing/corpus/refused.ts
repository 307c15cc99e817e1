/** Statements that the catalog refuses, and why. */
export const refused: Readonly<Record<string, string>> = {
  "superset.cancel": "it ends another connection",
  "jetbrains.start-time": "nothing is told of when the service began",
  "jetbrains.time-zones": "time zones are not listed",
};
