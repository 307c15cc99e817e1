import { seenInSamples } from "../../known-bad/known-bad.ts";
import { knownBad } from "../../known-bad/registry.ts";
import { coreSubjects } from "../../subjects/registry.ts";
import { trainings } from "../../trainings/registry.ts";
import { impossibleControl } from "../impossible-audit.ts";
import { soakControl } from "./soak-control.ts";
import { soakImpossible } from "./soak-impossible.ts";
import { soakMechanism } from "./soak-mechanism.ts";
import type { SoakRequest, SoakStep } from "./soak-request.ts";
import { soakTraining } from "./soak-training.ts";

/**
 * Every audit that draws coins, over many fresh seeds, each judged as a run of the audit is: no mechanism may be flagged, and no training
 * that is right. Every control that coins can show likewise: how often a single round catches it, and what that says of all rounds.
 */
export function soakSteps(request: SoakRequest): readonly SoakStep[] {
  return [
    ...coreSubjects.map((each) => soakImpossible(each, request)),
    { audit: "impossible", ...impossibleControl({ seed: request.first }) },
    ...coreSubjects.map((each) => soakMechanism(each, request)),
    ...knownBad.filter(seenInSamples).map((each) => soakControl(each, request)),
    ...trainings.map((each) => soakTraining(each, request)),
  ];
}
