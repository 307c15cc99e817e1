import { parseRational } from "@lethe/core";
import { targetIsReached } from "../../checks/target.ts";
import type { Release, Target } from "../../format/release.ts";
import { asRead } from "../as-read.ts";
import { at, changed, count, policy, released } from "../targeted.ts";
import type { Telling } from "./forgery.ts";

const absolute = (): Promise<Release> => released(at("target_error = 30"), {}, null);
const share = (): Promise<Release> => released(at("target_error_relative = 0.03"), {}, null);
/** A release whose target is a share of an earlier one, and that one. */
export const leaning = async (): Promise<readonly [Release, Release]> => {
  const earlier = await absolute();
  return [
    await released(at("target_error_relative = 0.5, target_release = 'request-1'"), {}, earlier),
    earlier,
  ];
};

const of =
  (make: () => Promise<Release>, change: Partial<Target>): (() => Promise<unknown>) =>
  async () =>
    targetIsReached(asRead(changed(await make(), change)), undefined, policy);
type Leaned = NonNullable<Target["released"]>;
const ofLeaned =
  (change: (leaned: Leaned) => object, earlierAs: (earlier: Release) => Release = (earlier) => earlier) =>
  async (): Promise<unknown> => {
    const [release, earlier] = await leaning();
    const target = release.certificate.target!;
    const forged = changed(release, { released: { ...target.released!, ...change(target.released!) } });
    return targetIsReached(asRead(forged), JSON.stringify(earlierAs(earlier)), policy);
  };
const ofAnswer = (change: (answer: Leaned["answers"][number]) => object): (() => Promise<unknown>) =>
  ofLeaned(({ answers }) => ({ answers: answers.map((answer) => ({ ...answer, ...change(answer) })) }));

export const ofTargets: readonly Telling[] = [
  ["the noise that was bought reaches the stated target", of(absolute, {})],
  ["the question states another target error", of(absolute, { halfWidth: 3 })],
  ["the noise that was bought misses the target", of(absolute, { halfWidth: 3 })],
  ["the target is reached, and said not to be", of(absolute, { capped: true })],
  ["only what a pilot suggests is capped", of(absolute, { capped: true })],
  [
    "the error that is reached, or its target, is not that of the hardest answer",
    of(absolute, { reached: 1 }),
  ],
  ["the question states another share", of(share, { relative: { share: "3/50", expectedRows: 1000 } })],
  [
    "the width is not the stated share of the expected rows",
    of(share, { relative: { share: "3/100", expectedRows: 2000 } }),
  ],
  [
    "the policy expects another number of rows",
    of(share, { relative: { share: "3/100", expectedRows: 2000 }, halfWidth: 60 }),
  ],
  ["the question names another release", ofLeaned(() => ({ requestId: "other" }))],
  ["the release that it is a share of is another", ofLeaned(() => ({ requestId: "other" }))],
  [
    "the rows that it is a share of are not those signed",
    ofLeaned(
      () => ({}),
      (earlier) => ({ ...earlier, rows: earlier.rows.slice(1) }),
    ),
  ],
  ["n had other numbers there", ofAnswer(({ typical }) => ({ typical: typical + 1 }))],
  ["n has another width than its share", ofAnswer(({ halfWidth }) => ({ halfWidth: halfWidth * 2 }))],
  ["the target speaks of other answers", ofLeaned(() => ({ answers: [] }))],
  ["an answer is said to reach another error", ofAnswer(({ reached }) => ({ reached: reached! / 2 }))],
  [
    'that they are a share of "request-1" needs that release',
    async () => targetIsReached(asRead((await leaning())[0]), undefined, policy),
  ],
  [
    "an interval of n is wider than its target",
    async () => {
      const release = await absolute();
      const rows = release.rows.map(([ward]) => [ward!, { value: 50, lower: 0, upper: 1000 }]);
      return targetIsReached(asRead({ ...release, rows }), undefined, policy);
    },
  ],
  [
    "the price is not the question's cap",
    async () => {
      const text = at("target_error = '1%', pilot_epsilon = 0.5, max_epsilon = 2");
      const release = changed(await absolute(), { capped: true, epsilon: "3" });
      const plan = { ...release.certificate.plan, text };
      return targetIsReached(
        asRead({ ...release, certificate: { ...release.certificate, plan } }),
        undefined,
        policy,
      );
    },
  ],
  [
    "the price is the question's cap, and the stated target follows from the pilot",
    async () => {
      const release = await released(count, { targetErrorRelative: parseRational("0.03") }, null);
      const { target } = release.certificate;
      const halfWidth = target!.halfWidth / 1e3;
      const relative = { share: "3/100000", expectedRows: 1000 };
      const capped = changed(release, { capped: true, halfWidth, relative });
      const certificate = { ...capped.certificate, pilot: release };
      return targetIsReached(asRead({ ...capped, certificate }), undefined, policy);
    },
  ],
];
