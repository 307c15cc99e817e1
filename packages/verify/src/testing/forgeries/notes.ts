import type { Certificate } from "../../format/release.ts";
import { notesOf } from "../../notes/notes-of.ts";
import { sample } from "../people.ts";
import { byCity, type Draft, kept, ofUnits, type Telling } from "./forgery.ts";
import { leaning } from "./targets.ts";

const ofTarget = async (
  change: (target: NonNullable<Draft["certificate"]["target"]>) => void,
): Promise<readonly string[]> => {
  const certificate = structuredClone((await leaning())[0].certificate) as Draft["certificate"];
  change(certificate.target!);
  return notesOf(certificate as Certificate);
};

/** The notes that none of the usual samples of people bears, each with a release that bears it. */
export const ofNotes: readonly Telling[] = [
  ['the target is 50 % of what request "request-1" released:', () => ofTarget(() => {})],
  ["the median of 2 released sizes", () => ofTarget(() => {})],
  [
    "(nothing was released)",
    () =>
      ofTarget(({ released }) => {
        released!.answers[0]!.values = 0;
      }),
  ],
  [
    "in a group of 40 rows; it is reached",
    () =>
      ofTarget((target) => {
        target.rows = 40;
      }),
  ],
  [
    "not reached, because the question limits its price to epsilon 0.5",
    () =>
      ofTarget((target) => {
        target.capped = true;
        target.epsilon = "1/2";
      }),
  ],
  [
    "what is shown is made of released groups alone",
    async () => {
      const { certificate } = (await sample(byCity)).release;
      return notesOf({ ...certificate, plan: { ...certificate.plan, over: { kind: "answer" } } });
    },
  ],
  [
    "the groups are all that the policy and the question name, with or without rows of units",
    async () => notesOf((await sample(kept)).release.certificate),
  ],
  [
    "that one is shown does not say that it has rows",
    async () => notesOf((await sample({ text: "SELECT DISTINCT sector FROM people" })).release.certificate),
  ],
  ...[
    "'Farming' is no declared category of sector, so no row matches it",
    "'Farming' is no value of UPPER(sector), so no row matches it",
  ].map(
    (says): Telling => [
      says,
      async () => {
        const text =
          "SELECT COUNT(*) FROM people WHERE sector NOT IN ('other', 'Farming') OR UPPER(sector) IN ('OTHER', 'Farming')";
        return notesOf((await sample({ text })).release.certificate);
      },
    ],
  ),
  [
    "these are the numbers of the pilot alone",
    async () => {
      const { release } = await sample(ofUnits);
      return notesOf({ ...release.certificate, pilot: release });
    },
  ],
  ...[
    "each unit contributes at most 12 rows of the table, chosen before the filter",
    "leaves out their values, each at most 12 in size",
    "averages, spreads and quantiles of wage are those of the rows that are kept",
  ].map(
    (says): Telling => [
      says,
      async () => {
        const { certificate } = (await sample(ofUnits)).release;
        const contribution = { ...certificate.plan.contribution, limit: "rows-before-filter" } as const;
        return notesOf({ ...certificate, plan: { ...certificate.plan, contribution } });
      },
    ],
  ),
];
