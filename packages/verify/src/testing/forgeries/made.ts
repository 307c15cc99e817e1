import { madeAnswer } from "@lethe/gateway";
import type { Plan } from "@lethe/query";
import type { Release } from "../../format/release.ts";
import type { MadeAnswer, ReadMade } from "../../made/made-answer.ts";
import { errorsFollow, rowsAreMade } from "../../made/made-checks.ts";
import { notMadeOf } from "../../made/made-of.ts";
import { readMade } from "../../made/made-shape.ts";
import { type Sample, sample, signer } from "../people.ts";
import { hashOf, signed } from "../sample-release.ts";
import type { Draft, Mutable, Telling } from "./forgery.ts";

const fine = "SELECT sector, wage > 3 AS high, COUNT(*) AS n, SUM(change) AS s FROM people GROUP BY 1, 2";
const coarse = "SELECT sector, COUNT(*) AS n, SUM(change) AS s FROM people GROUP BY sector";

const averages = "SELECT sector, AVG(change) AS a FROM people GROUP BY sector";

const question = `q-${"a".repeat(32)}`;

/** What a change makes of each of the releases, which a lying service then signs. */
type Change = (release: Draft, at: number) => void;

interface Making {
  readonly released?: Partial<Sample>;
  readonly asked?: Partial<Sample>;
  readonly count?: number;
}

/** An answer that is made of two releases, and its policy. */
export async function genuineMade({ released = {}, asked = {}, count = 2 }: Making = {}): Promise<{
  readonly made: MadeAnswer;
  readonly policy: string;
}> {
  const { release, policy } = await sample({ text: fine, ...released });
  const { release: due } = await sample({ text: coarse, ...released, ...asked });
  const releases = Array.from({ length: count }, (_, at) => answeredAs(release, `${question}-${at + 1}`));
  const made = madeAnswer(due.certificate.plan, releases as never, 0.9);
  if (!made) throw new Error("the releases make the answer");
  return { made: made as unknown as MadeAnswer, policy };
}

function answeredAs(release: Release, requestId: string): Release {
  return signed({ ...release, certificate: { ...release.certificate, requestId } }, signer);
}

/** A genuine answer that names releases which were changed before they were signed. */
export async function madeOfChanged(change: Change): Promise<MadeAnswer> {
  const { made } = await genuineMade();
  const releases = made.releases.map((release, at) => {
    const draft = structuredClone(release) as Draft;
    change(draft, at);
    return signed(draft as Release, signer);
  });
  const of = releases.map(({ certificate }) => ({
    requestId: certificate.requestId,
    certificate: hashOf(certificate),
    at: certificate.at,
  }));
  return { ...made, releases, of };
}

/** What is said ↦ how releases were changed that a lying service signs. */
export const changedReleases: readonly (readonly [string, Change])[] = [
  [
    "the releases are not known to answer one question",
    ({ certificate }, at) => {
      certificate.requestId = `request ${at}`;
    },
  ],
  [
    "the releases are not known to answer one question",
    ({ certificate }, at) => {
      if (at === 1) certificate.requestId = `q-${"b".repeat(32)}-2`;
    },
  ],
  [
    "an answer that was given is left out, or they are not in their order",
    ({ certificate }, at) => {
      certificate.requestId = `${question}-${at + 2}`;
    },
  ],
  [
    "the releases were given to several principals",
    ({ certificate }, at) => {
      certificate.principal = `analyst ${at}`;
    },
  ],
  [
    "a release is of another policy than the answer",
    ({ certificate }) => {
      certificate.plan.policyHash = "0".repeat(64);
    },
  ],
  [
    "a release is about other rows than the answer",
    ({ certificate }) => {
      certificate.plan.where = {
        kind: "literal",
        value: true,
        domain: { type: "boolean", nullable: false },
      } as never;
    },
  ],
  [
    "a release is about other rows than the answer",
    ({ certificate }) => {
      (
        certificate.plan.from as never as { columns: { sector: { default: string } } }
      ).columns.sector.default = "construction";
    },
  ],
  [
    "column n is not made of what the releases show",
    ({ rows }) => {
      (rows[0]![2] as { value: number }).value += 1;
    },
  ],
  [
    "a released group that is none of the answer",
    ({ rows }) => {
      rows[0]![0] = "agriculture";
    },
  ],
  [
    "a release without all its groups",
    ({ rows }) => {
      rows.pop();
    },
  ],
  [
    "a released number that is no whole number of steps",
    ({ rows }) => {
      (rows[0]![2] as { value: number }).value += 0.5;
    },
  ],
  [
    "a release that does not show its keys",
    ({ certificate }) => {
      certificate.plan.outputs = certificate.plan.outputs.slice(1);
    },
  ],
];

/** What is said ↦ how the answer itself was changed, which nobody signs. */
export const changedAnswers: readonly (readonly [string, (made: Mutable<MadeAnswer>) => void])[] = [
  [
    "the answer names other releases than it holds",
    (made) => {
      made.of[0]!.certificate = "0".repeat(64);
    },
  ],
  [
    "a release is taken twice",
    (made) => {
      made.releases[1] = made.releases[0];
      made.of[1] = { ...made.of[0]! };
    },
  ],
  [
    "column s is not made of what the releases show",
    (made) => {
      (made.rows[1]![2] as { upper: number }).upper -= 1;
    },
  ],
  [
    "the rows are not in the order that is asked",
    (made) => {
      made.rows.reverse();
    },
  ],
  [
    "a row is not made of the plan's keys and estimates",
    (made) => {
      made.rows[0]!.pop();
    },
  ],
  [
    "the errors are not those of the noise",
    (made) => {
      made.errors[0]!.here /= 2;
    },
  ],
  [
    "the errors are not those of the noise",
    (made) => {
      made.errors[0]!.anew *= 2;
    },
  ],
  [
    "the notes are not those that follow from how the answer was made",
    (made) => {
      made.notes.pop();
    },
  ],
  [
    "a number that no release shows",
    (made) => {
      made.plan.outputs[1] = { kind: "aggregate", name: "n", aggregate: "COUNT(wage)" };
      made.plan.aggregates.push({ kind: "count", name: "COUNT(wage)", count: "COUNT(*)" });
    },
  ],
];

type PlanChange = (released: Mutable<Plan>, asked: Mutable<Plan>, at: number) => void;

function refusal(change: PlanChange, given: Making = {}): () => Promise<readonly string[]> {
  return async () => {
    const { made } = await genuineMade(given);
    const asked = structuredClone(made.plan) as Mutable<Plan>;
    const releases = made.releases.map((release, at) => {
      const draft = structuredClone(release) as Draft;
      change(draft.certificate.plan as Mutable<Plan>, asked, at);
      return draft as Release;
    });
    return [...notMadeOf(asked as Plan, releases)];
  };
}

/** What is said ↦ how plans come to be told it. */
export const ofMade: readonly Telling[] = [
  [
    "an answer of several groupings, questions or bounds that are learned is made of releases",
    refusal((released) => {
      released.groupings = [["sector"]];
    }),
  ],
  [
    "a column is computed, which has no interval here",
    refusal((_, asked) => {
      asked.outputs = [
        { kind: "computed", name: "x", type: "number", expression: { kind: "literal", value: 1 } },
      ] as never;
    }),
  ],
  [
    "a release leaves groups out",
    refusal((released) => {
      released.post.limit = 3;
    }),
  ],
  [
    "a release leaves groups out",
    refusal((released) => {
      released.post.having = { kind: "literal", value: true } as never;
    }),
  ],
  [
    "the releases have not all the same noise",
    refusal((released, _, at) => {
      if (at === 1) (released.measurements[0]!.noise as { scale: string }).scale = "99";
    }),
  ],
  [
    "keys are data: what a release shows of them was chosen by its noise",
    refusal((released) => {
      released.keys.program = { kind: "private", rule: {} } as never;
    }),
  ],
  [
    "the groups of a release are not those of the answer, divided by further keys",
    refusal((released) => {
      (released.keys.program as { declared: unknown[] }).declared.pop();
    }),
  ],
  [
    "the groups of a release are not those of the answer, divided by further keys",
    refusal((_, asked) => {
      (asked.keys.program as { declared: unknown[] }).declared.pop();
    }),
  ],
  [
    "a count or a sum of the answer is not shown by a release",
    refusal((released) => {
      released.outputs = released.outputs.slice(0, 3);
    }),
  ],
  [
    "a count or a sum of the answer is not shown by a release",
    refusal((released) => {
      const [, sum] = released.aggregates;
      (sum as { exponent: number }).exponent -= 1;
    }),
  ],
  [
    "what is added up over groups is no number of rows and no sum of values",
    refusal((released) => {
      (released.sums[0] as { kind: string }).kind = "units-with";
    }),
  ],
  [
    "an average of what has no bounds",
    () =>
      averageOf((plan) => {
        for (const sum of plan.sums as Mutable<Plan["sums"]>) delete (sum as { grid?: unknown }).grid;
      }),
  ],
  [
    "the noise of a release was set by what was released before",
    async () => {
      const { made } = await genuineMade();
      const [first] = made.releases as readonly Release[];
      if (!first) throw new Error("an answer is made of a release");
      return [...notMadeOf(made.plan, [{ ...first, certificate: { ...first.certificate, pilot: first } }])];
    },
  ],
  [
    "a number that no release shows",
    async () => {
      const read = await withoutColumn();
      return [rowsAreMade(read), errorsFollow(read)];
    },
  ],
];

/** An answer of averages, of releases whose plans are changed. */
async function averageOf(change: (plan: Mutable<Plan>) => void): Promise<readonly string[]> {
  const { made } = await genuineMade({ asked: { text: averages } });
  const read = readMade(JSON.stringify(made));
  const releases = read.releases.map((each) => {
    const draft = structuredClone(each) as Mutable<ReadMade["releases"][number]>;
    change(draft.release.certificate.plan as Mutable<Plan>);
    return draft as ReadMade["releases"][number];
  });
  return [rowsAreMade({ made, releases }).says];
}

/** An answer, one of whose columns its releases do not show. */
async function withoutColumn(): Promise<ReadMade> {
  const { made } = await genuineMade();
  const read = readMade(JSON.stringify(made));
  return {
    made,
    releases: read.releases.map((each) => {
      const draft = structuredClone(each) as Mutable<ReadMade["releases"][number]>;
      const { plan } = draft.release.certificate;
      plan.outputs = plan.outputs.filter((output) => output.name !== "n");
      return draft as ReadMade["releases"][number];
    }),
  };
}

/** Genuine answers of every kind: of one release and of several, by fewer keys and by the same, of units that are limited by group. */
export const genuineMakings: readonly Making[] = [
  {},
  { count: 1 },
  { asked: { text: fine } },
  { asked: { text: "SELECT COUNT(*) AS n FROM people" } },
  { released: { unit: "id" } },
  { asked: { text: averages } },
  { released: { adjacency: "replace-one", measure: "zcdp" } },
];

/** An answer that is made of no release. */
export async function ofNoRelease(): Promise<string> {
  const { made } = await genuineMade();
  return JSON.stringify({ ...made, releases: [], of: [] });
}
