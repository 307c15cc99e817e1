import { expect, test } from "vitest";
import { coreSubjects } from "../subjects/registry.ts";
import { trainings } from "../trainings/registry.ts";
import { fullEffort, quickEffort, soakEffort } from "./attack-audit.ts";
import { fullRequest, quickRequest } from "./audit.ts";
import { estimateAlarm, impossibleAlarm, mostJudgedEnds, runsOf, trainingAlarm } from "./false-alarms.ts";

test.each([
  [quickRequest, quickEffort],
  [fullRequest, fullEffort],
  [fullRequest, soakEffort],
])(
  "all that chance can mislead in a run, attacks included, has one false alarm together",
  (request, effort) => {
    const shares = [
      ...coreSubjects.map(() => estimateAlarm(request)),
      ...coreSubjects.map(() => impossibleAlarm(request)),
      ...trainings.map((training) => runsOf(training) * trainingAlarm(training, request)),
      ...Array.from({ length: mostJudgedEnds }, () => effort.alpha),
    ];
    const all = shares.reduce((sum, share) => sum + share, 0);
    expect(all / request.falseAlarm).toBeCloseTo(1, 12);
    expect(request.falseAlarm).toBe(1e-6);
  },
);
