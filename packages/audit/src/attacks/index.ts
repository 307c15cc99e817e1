export { type Attack, type AttackResult, type Effort, isFinding, judgedEnds, type Score } from "./attack.ts";
export { guessingCeiling } from "./ceiling.ts";
export { attackOf, type GuessingGame, type Session } from "./guessing-game.ts";
export { type ReconstructionPoint, reconstructionCurve } from "./reconstruction.ts";
export { attacks } from "./registry.ts";
export type { NaiveProtection } from "./services/naive.ts";
export type {
  Account,
  Asked,
  Cell,
  FailedCheck,
  InventedTable,
  Laboratory,
  Opened,
  OpenedForger,
  OpenedLethe,
  OpenedNeighbours,
  Reply,
  Service,
  Whole,
  World,
} from "./services/service.ts";
export { uniforms } from "./services/uniforms.ts";
