import { lossFromJson } from "@lethe/core";
import { canonicalJson } from "@lethe/core/canonical";
import type { Plan } from "@lethe/query";
import { passed, type Verdict, verdict } from "../checks/check.ts";
import { coversAlone } from "../workload/workload-checks.ts";
import { ownEvent } from "./other-answers.ts";

/** Checks that the questions of a text belong together: one text under one policy, and the record of each, once, in the record that was charged. */
export function questionsBelong(plan: Plan): Verdict {
  const { others, event } = plan;
  if (!others) return passed("the text asks one question");
  const plans = others.map((other) => other.plan);
  const due = { kind: "compose", version: 1, events: [ownEvent(plan), ...plans.map((each) => each.event)] };
  const shared = [plan, ...plans].map(({ text, parameters, today, policyHash, adjacency }) =>
    canonicalJson({ text, parameters: parameters ?? null, today: today ?? null, policyHash, adjacency }),
  );
  const whole = lossFromJson(plan.price);
  return verdict(
    [
      ...(canonicalJson(event) === canonicalJson(due)
        ? []
        : ["the event is not the composition of the events of all questions of the text"]),
      ...(plans.every((each) => coversAlone(each.event, lossFromJson(each.price), whole))
        ? []
        : ["the plan of a question does not state what it would cost alone"]),
      ...(new Set(shared).size === 1 ? [] : ["the questions are of several texts or policies"]),
    ],
    "the questions of the text were charged together, and the event is the composition of their events",
  );
}
