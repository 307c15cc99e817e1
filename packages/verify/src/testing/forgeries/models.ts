import { verifyModels } from "../../verify-models.ts";
import { signer } from "../people.ts";
import {
  age,
  jointFile,
  jointTexts,
  kMeansFile,
  kMeansTexts,
  modelsPolicy,
  plainFile,
  sector,
  threeClusters,
  type Written,
  wage,
} from "../trained-models.ts";
import type { Mutable } from "./forgery.ts";

/** What is said of a file by the checks that fail. */
export async function toldOfModels(
  file: unknown,
  policyText: string = modelsPolicy(),
): Promise<readonly string[]> {
  const options = { policyText, publicKeyPem: signer.publicKey };
  const { checks } = await verifyModels(JSON.stringify(file), options);
  return checks.filter(({ outcome }) => outcome === "failed").map(({ says }) => says);
}

type Draft = Mutable<Written>;

/** What is said ↦ how somebody who cannot sign, or who can and lies, comes to be told it; and the policy of the release. */
export type ModelForgery = readonly [says: string, forge: () => Promise<unknown>, policy: string];

async function changed(file: Promise<Written>, change: (draft: Draft) => void): Promise<unknown> {
  const draft = structuredClone(await file) as Draft;
  change(draft);
  return draft;
}

/** The task of the first model, or of another. */
const taskOf = ({ descriptions }: Draft, at = 0): Record<string, unknown> => {
  const description = descriptions[at];
  if (!description || !("task" in description)) throw new Error("no such task");
  return description.task as never;
};

type Make = () => Promise<Written>;

/** A file whose task, or whose first description, has other members. */
const withTask = (make: Make, members: object, at?: number) => () =>
  changed(make(), (draft) => void Object.assign(taskOf(draft, at), members));
const withFirst = (make: Make, members: object) => () =>
  changed(make(), ({ descriptions }) => void Object.assign(descriptions[0] ?? {}, members));

/** The questions of the joint file with one of them changed before it was asked: a lying service signs what it likes. */
const asked = (at: number, from: string, to: string) => () => {
  const text = jointTexts[at]?.replaceAll(from, to);
  if (text === undefined || text === jointTexts[at]) throw new Error(`nothing to change in question ${at}`);
  return jointFile(jointTexts.with(at, text));
};

const clusteredAs = (change: (texts: readonly [string, string]) => readonly string[]) => async () =>
  kMeansFile(change(await kMeansTexts()));

const several = modelsPolicy(
  "unit: id\n    max_groups_contributed: 2\n    max_rows_contributed_per_group: 2\n    limit: rows-before-filter",
);
const afterFilter = several.replace("rows-before-filter", "groups-after-filter");

const forgeries: readonly (readonly [string, () => Promise<unknown>, string?])[] = [
  // Descriptions that say less, more or something else than their kinds.
  ["no model is described", () => changed(plainFile(), (d) => Object.assign(d, { descriptions: [] }))],
  ["there is not one model for each description", () => changed(plainFile(), (d) => void d.models.pop())],
  [
    "a k-means stands beside other models",
    () =>
      changed(plainFile(), ({ descriptions, models }) => {
        descriptions.push(threeClusters as never);
        models.push({});
      }),
  ],
  ["model 3 names no column", withTask(plainFile, { marginals: [] }, 2)],
  ["model 1 names a column twice", withTask(jointFile, { features: [age, wage] })],
  ["model 4 has a penalty, and is no ridge regression", withTask(plainFile, { penalty: 5 }, 3)],
  ["model 1 has a penalty that is not above 0", withTask(jointFile, { penalty: -5 })],
  ["model 1 has more components than features", withTask(plainFile, { components: 2 })],
  [
    "model 3 has a marginal of neither one column nor two",
    withTask(plainFile, { marginals: [[sector], []] }, 2),
  ],
  // Columns that the policy declares otherwise.
  [
    "model 1 describes wage otherwise than the policy",
    withTask(jointFile, { target: { ...wage, bounds: [1e-20, 60] } }),
  ],
  [
    "model 1 describes age otherwise than the policy",
    withTask(plainFile, { features: [{ ...age, nullable: true }] }),
  ],
  [
    "model 3 describes sector otherwise than the policy",
    withTask(plainFile, { marginals: [[{ ...sector, categories: ["trade"] }]] }, 2),
  ],
  [
    "model 1 describes height otherwise than the policy",
    withTask(plainFile, { features: [{ ...age, name: "height" }] }),
  ],
  // Rows that were not asked about.
  [
    "model 1 is about rows that no question of the release is about",
    withFirst(jointFile, { where: "age >= 30" }),
  ],
  ["model 1 is about rows that no question of the release is about", withFirst(jointFile, { where: null })],
  [
    "model 1 is about rows that no question of the release is about",
    withFirst(kMeansFile, { where: "age >= 30" }),
  ],
  ...["age >= 20) OR (age < 20", "age >= 20 GROUP BY age", "age >= 20 LIMIT 1", "sector"].map(
    (where) =>
      [
        "model 1 is about rows whose condition is more than a condition",
        withFirst(jointFile, { where }),
      ] as const,
  ),
  [
    "a question of the release does not show every row of its answer",
    asked(1, "GROUP BY sector", "GROUP BY sector LIMIT 1"),
  ],
  // Sums that were not asked for, or asked for otherwise.
  [
    "model 1 needs a sum of wage, age that was not asked for",
    asked(0, '(("wage" - 3e+1) / 3e+1) * (("age"', '(("age" - 5.4e+1) / 3.6e+1) * (("age"'),
  ],
  ["model 1 needs a sum of sector, member that was not asked for", () => jointFile(jointTexts.slice(0, 3))],
  ["model 2 needs a sum of sector, wage, wage that was not asked for", asked(1, ", 2)", ", 3)")],
  [
    "model 1 needs a sum of sector, wage that was not asked for",
    asked(1, "3e+1)) AS a", "3e+1), contribution_bounds_per_row => (0, 1)) AS a"),
  ],
  ["model 1 needs a sum of rows that was not asked for", asked(0, "COUNT(*)", "COUNT(wage)")],
  [
    "model 1 describes other bounds than the sum of wage was asked with",
    asked(0, '"wage" - 3e+1', '"wage" - 2.9e+1'),
  ],
  ...["2.9e+1) / 2.9e+1", "3.1e+1) / 2.9e+1"].map(
    (scale) =>
      [
        "model 1 describes other bounds than the sum of sector, wage was asked with",
        asked(1, "3e+1) / 3e+1", scale),
      ] as const,
  ),
  [
    "model 1 describes other bounds than the sum of sector, age was asked with",
    asked(1, " / 3.6e+1", " / 3.5e+1"),
  ],
  [
    "model 2 describes categories that the sum of sector does not answer",
    withTask(jointFile, { target: { ...sector, categories: ["trade", "a third"] } }, 1),
  ],
  [
    "model 1 rests on questions that keep different rows of a unit",
    () => jointFile(jointTexts, several),
    several,
  ],
  [
    "model 1 rests on questions that keep different rows of a unit",
    () => jointFile(jointTexts, afterFilter),
    afterFilter,
  ],
  // Steps of a k-means that do not follow from each other.
  ["model 1 takes 1 steps, and 2 questions were asked", withFirst(kMeansFile, { steps: 1 })],
  [
    "model 1 has a step 1 that does not follow from the answers before it",
    withFirst(kMeansFile, { clusters: 2 }),
  ],
  [
    "model 1 has a step 1 that does not follow from the answers before it",
    clusteredAs(([, second]) => [second, second]),
  ],
  [
    "model 1 has a step 2 that does not follow from the answers before it",
    clusteredAs(([first]) => [first, first]),
  ],
  [
    "model 1 has a step 2 that does not follow from the answers before it",
    clusteredAs(([first, second]) => [first, second.replace("THEN 1 ELSE 2", "THEN 2 ELSE 1")]),
  ],
  [
    "model 1 has a step 1 that does not follow from the answers before it",
    clusteredAs(([first, second]) => [first.replace(">=", ">"), second]),
  ],
  [
    "model 1 has a step 1 that does not follow from the answers before it",
    clusteredAs(([first, second]) => [first.replace("AND", "OR"), second]),
  ],
  [
    "model 1 needs sums that step 1 does not ask for",
    clusteredAs(([first, second]) => [first.replace("SUM(", "AVG("), second]),
  ],
  [
    "model 1 describes other bounds than step 1 was asked with",
    clusteredAs(([first, second]) => [first.replaceAll("3.6e+1", "3.5e+1"), second]),
  ],
  [
    "model 1 has a step 1 that is not answered for every cluster",
    () =>
      changed(
        kMeansFile(),
        ({
          release: {
            answers: [first],
          },
        }) => void first?.rows.pop(),
      ),
  ],
  [
    "a step of a k-means counts no rows",
    () =>
      changed(
        kMeansFile(),
        ({
          release: {
            certificate: { workload },
          },
        }) => {
          for (const plan of workload.plans)
            plan.aggregates = plan.aggregates.map((each) =>
              each.kind === "count" ? { name: each.name, kind: "sum", sum: each.count, exponent: 0 } : each,
            );
        },
      ),
  ],
];

export const forgedModels: readonly ModelForgery[] = forgeries.map(([says, forge, policy]) => [
  says,
  forge,
  policy ?? modelsPolicy(),
]);

/** Why a text is no file of models ↦ a change that makes it none. */
export const noModels: readonly (readonly [says: string, change: (file: Draft) => void])[] = [
  [
    "it must be an object of version, descriptions, models, confidence, release alone",
    (file) => void Object.assign(file, { note: "trust me" }),
  ],
  [
    "descriptions[0].task.kind must be one of",
    (file) => void Object.assign(taskOf(file), { kind: "oracle" }),
  ],
  ["its confidence is not that of its release", (file) => void Object.assign(file, { confidence: 0.999 })],
];
