import type { Plan } from "@lethe/query";
import { learnedBoundsHold } from "../../checks/learned.ts";
import { notesOf } from "../../notes/notes-of.ts";
import { planOf } from "../learned-plan.ts";
import type { Telling } from "./forgery.ts";

type Stage = NonNullable<Plan["learned"]>["stages"][number];

const ofStage =
  (change: (stage: Stage) => object): (() => Promise<unknown>) =>
  async () => {
    const plan = await planOf();
    const [first, ...others] = plan.learned!.stages;
    return learnedBoundsHold({
      ...plan,
      learned: { ...plan.learned!, stages: [{ ...first!, ...change(first!) }, ...others] },
    });
  };
const ofPlan =
  (change: (plan: Plan) => Partial<Plan>): (() => Promise<unknown>) =>
  async () => {
    const plan = await planOf();
    return learnedBoundsHold({ ...plan, ...change(plan) } as Plan);
  };

export const ofLearnedBounds: readonly Telling[] = [
  ["the bounds follow from noisy counts that were paid for", ofPlan(() => ({}))],
  ["states a smaller sensitivity than its cells have", ofStage(() => ({ l1: "1" }))],
  ["is counted without noise", ofStage(() => ({ noise: { mechanism: "constant@1" } }))],
  ["do not increase", ofStage(({ ends }) => ({ ends: [...ends].reverse() }))],
  ["are not those of its noisy counts", ofStage(() => ({ bounds: [0, 1] }))],
  ["learned bounds without a noisy count for each of their cells", ofStage(() => ({ counts: null }))],
  ["bounds among fewer than two ends", ofStage(() => ({ ends: [3], counts: [1] }))],
  [
    "there is noise that nothing was charged for",
    ofPlan(({ measurements }) => ({ measurements: measurements.slice(1) })),
  ],
  [
    "costs more than was charged for it",
    ofPlan(({ measurements }) => ({
      measurements: measurements.map((each) => ({
        ...each,
        noise: { mechanism: "rounded-gaussian@1", sigma: "1" },
      })),
    })),
  ],
  [
    "for none of the price",
    async () => {
      const plan = await planOf();
      const stages = plan.learned!.stages.map((stage) => ({
        ...stage,
        noise: { mechanism: "constant@1" } as const,
      }));
      return notesOf({ plan: { ...plan, learned: { ...plan.learned!, stages } } } as never);
    },
  ],
  [
    "were learned from noisy counts over all groups, for ρ",
    async () => notesOf({ plan: await planOf() } as never),
  ],
  [
    "were learned from noisy counts over all groups, for ε",
    async () => {
      const plan = await planOf();
      const noise = { mechanism: "discrete-laplace@1", scale: "7" } as const;
      const stages = plan.learned!.stages.map((stage) => ({ ...stage, noise }));
      return notesOf({ plan: { ...plan, learned: { ...plan.learned!, stages } } } as never);
    },
  ],
];
