export { chooseSealed } from "./choose-sealed.ts";
export { gridScores, type ScoreSensitivity, scoreRange } from "./scores.ts";
export type { Selection, SelectionParameters } from "./selection.ts";
export { utilityLoss } from "./utility-loss.ts";
