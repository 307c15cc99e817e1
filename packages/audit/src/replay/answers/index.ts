export {
  type AnswersReport,
  type ReplayAnswersOptions,
  replayAnswers,
} from "./replay-answers.ts";
export type { Gateway, ReplayedHouse } from "./run-script.ts";
