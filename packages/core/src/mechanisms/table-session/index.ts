export { type CellAxis, cellAxis, cellCounts } from "./cell-counts.ts";
export type { CellCounts } from "./distance-score.ts";
export {
  choiceCost,
  measurementCost,
  openTableSession,
  type SessionMeasure,
  type TableCandidate,
  type TableSession,
  type TableSessionSetting,
  tableSensitivity,
  tableSessionEvent,
} from "./table-session.ts";
