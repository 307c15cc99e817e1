export { type CellAxis, cellAxis, cellCounts } from "./cell-counts.ts";
export { contrastSquares, contrasts, residualOf } from "./contrasts.ts";
export { type CellCounts, distanceFrom, type TableDistance } from "./distance-score.ts";
export { residualSensitivity } from "./residual-sensitivity.ts";
export {
  choiceCost,
  measurementCost,
  openTableSession,
  residualCost,
  type SessionMeasure,
  type TableCandidate,
  type TableSession,
  type TableSessionSetting,
  tableSensitivity,
  tableSessionEvent,
} from "./table-session.ts";
