import { elementAt } from "@lethe/core/numeric";
import type { OverRelation } from "@lethe/query";
import { isEstimate, type OtherAnswer, type Release } from "../../format/release.ts";
import { readAnyRelease } from "../../format/release-shape.ts";
import { releasedFollow } from "../../over/released-checks.ts";
import { verifyRelease } from "../../verify-release.ts";
import { call, key, literal } from "../made-of.ts";
import { type Sample, sample, signer } from "../people.ts";
import { releaseOf, signed } from "../sample-release.ts";
import { counted, type Draft, type Mutable, spentOf, type Telling } from "./forgery.ts";

/** A question whose condition reads the answer to another one. */
const twoStages: Sample = {
  text: "SELECT COUNT(*) AS n FROM people WHERE wage > (SELECT COUNT(*) FROM people)",
};

/** A release of it, as an honest service would sign it. */
async function twoCounts(): Promise<{ readonly release: Release; readonly policy: string }> {
  const { release, policy } = await sample(twoStages);
  const { plan, account } = release.certificate;
  const others = (plan.others ?? []).map(({ name, plan: other }): OtherAnswer => {
    const { columns, rows, missing, notes } = releaseOf(
      other,
      signer,
      spentOf({ certificate: { account } }).granted,
    );
    return { name, columns, rows, missing, notes };
  });
  const { columns, rows } = elementAt(others, 0);
  const [[count = null] = []] = release.rows;
  const value = isEstimate(count) ? count.value : null;
  const released = [{ sql: "(SELECT COUNT(*) FROM people)", value }];
  return { release: signed({ ...release, over: { columns, rows }, others, released }, signer), policy };
}

/** A text that the check of the values must say after this change. */
const told = (says: string, change: (draft: Draft) => void): Telling => [
  says,
  async () => {
    const draft = structuredClone((await twoCounts()).release) as Draft;
    change(draft);
    return releasedFollow(draft as Release);
  },
];

/** A text that a reader must say, who refuses the release after this change. */
const refused = (says: string, change: (draft: Draft) => void): Telling => [
  says,
  async () => {
    const draft = structuredClone((await twoCounts()).release) as Draft;
    change(draft);
    try {
      readAnyRelease(JSON.stringify(draft));
    } catch (error) {
      if (error instanceof Error) return [error.message];
    }
    return [];
  },
];

/** Puts another relation in the place of the one that is read. */
function read({ certificate: { plan } }: Draft, of: (relation: OverRelation) => OverRelation): void {
  const [found] = plan.released ?? [];
  if (!found) throw new Error("the question reads no value");
  found.of = of(found.of as OverRelation) as Mutable<OverRelation>;
}

export const ofReleased: readonly Telling[] = [
  [
    "the values that questions read of answers follow from the released rows",
    async () => {
      const { release, policy } = await twoCounts();
      const { checks } = await verifyRelease(JSON.stringify(release), {
        policyText: policy,
        publicKeyPem: signer.publicKey,
      });
      const amiss = checks.filter(({ outcome }) => outcome !== "passed");
      if (amiss.length > 0) throw new Error(amiss.map(({ name, says }) => `${name}: ${says}`).join("\n"));
      return checks.map(({ says }) => says);
    },
  ],
  [
    "no question of the text reads the value of an answer",
    async () => releasedFollow((await sample(counted)).release),
  ],
  [
    "the released value of (SELECT COUNT(*) FROM people) stands in its place; intervals do not cover the noise that it has",
    async () => (await twoCounts()).release.others?.flatMap(({ notes }) => notes) ?? [],
  ],
  told("the value of (SELECT COUNT(*) FROM people) is not what its answer gives", ({ released }) => {
    const [one] = released ?? [];
    if (one) one.value = Number(one.value) + 1;
  }),
  told("a value that a question reads rests on values that rounding may have decided", (draft) =>
    read(draft, (of) => ({
      kind: "filtered",
      of,
      where: call(">", call("*", key("value"), literal(1 + 2 ** -45)), key("value")),
    })),
  ),
  refused("of one column", (draft) =>
    read(draft, (of) => ({
      kind: "shown",
      of,
      columns: ["a", "b"].map((name) => ({ name, type: "number", expression: key("value") })),
    })),
  ),
  refused("of answers alone", (draft) =>
    read(draft, () => ({
      kind: "values",
      table: "towns",
      columns: [{ name: "a", type: "number" }],
      rows: [],
    })),
  ),
  refused("that of an answer of the plan", (draft) =>
    read(draft, () => ({ kind: "answer", name: elementAt(draft.certificate.plan.others ?? [], 0).name })),
  ),
  refused("the values that the plan reads of answers, in their order", (draft) => {
    Reflect.deleteProperty(draft, "released");
  }),
  refused("the values that the plan reads of answers, in their order", ({ released }) => {
    released?.push({ sql: "(SELECT 1)", value: 1 });
  }),
  refused("released must be all that its questions read", ({ certificate: { plan }, ...draft }) => {
    Reflect.deleteProperty(plan, "released");
    Reflect.deleteProperty(draft, "released");
  }),
  refused("what its questions read, each once", ({ certificate: { plan } }) => {
    plan.released?.push({ sql: "(SELECT 1)", of: { kind: "answer" } });
  }),
];
