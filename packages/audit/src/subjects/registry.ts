import { conversationSubjects } from "./conversations.ts";
import type { CoreSubject } from "./core-subject.ts";
import { countSubjects } from "./counts.ts";
import { medianSubjects } from "./medians.ts";
import { noiseSubjects } from "./noises.ts";
import { reportSubjects } from "./reports.ts";
import { selectionSubjects } from "./selections.ts";

/** Core's mechanisms, as they are audited. A new mechanism is a line in one of these lists. */
export const coreSubjects: readonly CoreSubject[] = [
  ...noiseSubjects,
  ...countSubjects,
  ...selectionSubjects,
  ...medianSubjects,
  ...conversationSubjects,
  ...reportSubjects,
];
