export { type Attack, type AttackResult, type Effort, isFinding, judgedEnds, type Score } from "./attack.ts";
export { guessingCeiling } from "./ceiling.ts";
export { attackOf, type GuessingGame, type Session } from "./guessing-game.ts";
export type { NaiveProtection } from "./naive.ts";
export { type ReconstructionPoint, reconstructionCurve } from "./reconstruction.ts";
export { attacks } from "./registry.ts";
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
} from "./service.ts";
export { uniforms } from "./uniforms.ts";
