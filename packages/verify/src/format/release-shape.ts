import type { Plan } from "@lethe/query";
import { tellsTooMuch } from "../notes/too-much.ts";
import { account } from "./account-shape.ts";
import { event, loss, positiveText } from "./core-texts.ts";
import { planVersion, withTodaysPlans } from "./first-plan.ts";
import { invalid, parseJson } from "./parse-json.ts";
import { plan } from "./plan-shape.ts";
import type {
  Cell,
  Certificate,
  Column,
  Estimate,
  Odds,
  Other,
  OtherAnswer,
  ReadRelease,
  Release,
  Schedule,
  Target,
  TimeEstimate,
} from "./release.ts";
import {
  boolean,
  extended,
  fraction,
  integer,
  list,
  literal,
  Misshapen,
  matching,
  nullable,
  number,
  object,
  type Read,
  scalar,
  sha256Text,
  text,
} from "./shape.ts";
import type { Answer, ReadWorkload, WorkloadRelease } from "./workload.ts";

const estimate: Read<Estimate> = object({
  value: nullable(number),
  lower: nullable(number),
  upper: nullable(number),
});

const timeEstimate: Read<TimeEstimate> = object({ value: text, lower: text, upper: text });

const other: Read<Other> = object({
  other: (value, path): true => {
    if (value !== true) throw new Misshapen(path, "true");
    return value;
  },
});

const cell: Read<Cell> = (value, path) => {
  if (typeof value !== "object" || value === null) return scalar(value, path);
  if ("other" in value) return other(value, path);
  const isTime = "value" in value && typeof value.value === "string";
  return isTime ? timeEstimate(value, path) : estimate(value, path);
};

const target: Read<Target> = object({
  halfWidth: number,
  relative: nullable(object({ share: positiveText, expectedRows: number })),
  released: nullable(
    object({
      share: positiveText,
      requestId: text,
      answers: list(
        object({
          name: text,
          values: integer(0),
          typical: number,
          halfWidth: number,
          reached: nullable(number),
        }),
      ),
    }),
  ),
  rows: nullable(number),
  reached: nullable(number),
  epsilon: positiveText,
  capped: boolean,
  certificate: nullable(sha256Text),
});

type ChargeMembers = Omit<Certificate, "plan" | "rowsHash" | "target" | "pilot" | "odds" | "schedule">;

const mu = nullable(number);

/** What the certificate of every charge has. */
export const chargeMembers: {
  readonly [K in keyof ChargeMembers]-?: Read<ChargeMembers[K]>;
} = {
  version: literal(1),
  requestId: text,
  principal: text,
  at: matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/, "a time, ISO 8601"),
  charge: loss,
  losses: list(loss),
  confidence: fraction,
  account,
  ledger: object({ sequence: integer(0), hash: sha256Text, publicKey: text }),
};

/** What it has besides, but for releases from before it was stated. */
export const laterMembers: { readonly odds: Read<Odds> } = {
  odds: object({ advantage: fraction, mu, truePositives: fraction }),
};

const certificateMembers = { ...chargeMembers, plan, rowsHash: sha256Text } as const;

/** What is shown of an answer. */
export const shownMembers: {
  readonly columns: Read<readonly Column[]>;
  readonly rows: Read<readonly (readonly Cell[])[]>;
} = {
  columns: list(object({ name: text, kind: literal("key", "aggregate", "computed", "label") })),
  rows: list(list(cell)),
};
const answerMembers = {
  ...shownMembers,
  missing: list(object({ units: integer(0), chance: fraction })),
  notes: list(text),
} as const;
/** There where several groupings are asked at once, and where the question is a SELECT over an answer. */
const sometimes = {
  groupings: list(object({ grouping: integer(0), over: nullable(integer(0)) })),
  over: object(shownMembers),
} as const;
const otherAnswer: Read<OtherAnswer> = extended(
  { name: text, ...answerMembers },
  { groupings: sometimes.groupings },
);
export const signature: Read<string> = matching(/^[0-9a-f]{128}$/, "an Ed25519 signature in hex");

const releaseWith = (certificate: Read<Certificate>): Read<Release> => {
  const members = extended(
    { version: literal(1), ...answerMembers, certificate, signature },
    {
      ...sometimes,
      others: list(otherAnswer),
      released: list(object({ sql: text, value: scalar })),
    },
  );
  return (value, path) => {
    const read = members(value, path);
    demandShown(read, read.certificate.plan, path);
    demandOthers(read, path);
    demandReleased(read, path);
    return read;
  };
};

/** Demands of an answer that it shows what its plan selects over it. Errors: Misshapen. */
function demandShown({ over, notes }: Answer, plan: Plan, path: string): void {
  const isDue = plan.over !== undefined;
  if (isDue && over === undefined && notes.some(tellsTooMuch)) return;
  if (isDue !== (over !== undefined))
    throw new Misshapen(`${path}.over`, "there where the plan selects over the answer, and nowhere else");
}

/** Demands of a release that it has an answer for each other question of its plan, in their order. Errors: Misshapen. */
function demandOthers({ others, certificate: { plan } }: Release, path: string): void {
  const names = (all: readonly { readonly name: string }[] | undefined): string =>
    JSON.stringify(all?.map(({ name }) => name) ?? null);
  if (names(others) !== names(plan.others))
    throw new Misshapen(`${path}.others`, "the answers to the other questions of the plan, in their order");
}

/** Demands of a release that it has each value which its questions read of answers, once and in their order. Errors: Misshapen. */
function demandReleased({ released, certificate: { plan } }: Release, path: string): void {
  const texts = (all: readonly { readonly sql: string }[] | undefined): string =>
    JSON.stringify(all?.map(({ sql }) => sql) ?? null);
  if (texts(released) !== texts(plan.released))
    throw new Misshapen(`${path}.released`, "the values that the plan reads of answers, in their order");
}

const workloadMembers: Read<WorkloadRelease> = object({
  version: literal(1),
  answers: list(extended(answerMembers, sometimes)),
  certificate: extended(
    {
      ...chargeMembers,
      workload: object({ version: literal(1), plans: list(plan), event, price: loss }),
      answersHash: sha256Text,
    },
    laterMembers,
  ),
  signature,
});
const workload: Read<WorkloadRelease> = (value, path) => {
  const read = workloadMembers(value, path);
  for (const [at, plan] of read.certificate.workload.plans.entries()) {
    const answer = read.answers[at];
    if (plan.others)
      throw new Misshapen(`${path}.certificate.workload.plans[${at}]`, "the plan of one question");
    if (answer) demandShown(answer, plan, `${path}.answers[${at}]`);
  }
  return read;
};

const schedule: Read<Schedule> = object({ each: integer(1), statements: integer(1) });

/** A pilot has none of its own, nor a target, nor a schedule: it leaves with the request that it is the pilot of. */
const pilot: Read<Release> = releaseWith(extended(certificateMembers, laterMembers));
const release: Read<Release> = releaseWith(
  extended(certificateMembers, { ...laterMembers, target, pilot, schedule }),
);

/** Reads a release from untrusted text. Errors: release.invalid, naming the place and what belongs there. */
export function readRelease(text: string): ReadRelease {
  const json = parseJson(text);
  return shaped(() => readAs(release(withTodaysPlans(json), ""), json));
}

/** Reads a release of one question, or of several that were charged once. Errors: release.invalid. */
export function readAnyRelease(text: string): ReadRelease | ReadWorkload {
  const json = parseJson(text);
  return isWorkload(json)
    ? shaped(() => ({ release: workload(json, ""), signed: json.certificate }))
    : shaped(() => readAs(release(withTodaysPlans(json), ""), json));
}

function isWorkload(json: unknown): json is { readonly answers: unknown; readonly certificate: unknown } {
  return typeof json === "object" && json !== null && "answers" in json && "certificate" in json;
}

/** Runs a reader, whose refusal becomes one of the release. Errors: release.invalid. */
export function shaped<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof Misshapen) throw invalid(error.message.replace(/^\./, ""));
    throw error;
  }
}

/** Pairs a release with the certificate that was signed. Its form is known by now: the release was read from it. */
function readAs(read: Release, json: unknown): ReadRelease {
  const { certificate: signed } = json as { readonly certificate: { readonly pilot?: unknown } };
  const { pilot } = read.certificate;
  return {
    release: read,
    signed,
    planVersion: planVersion(signed),
    pilot: pilot === undefined ? null : readAs(pilot, signed.pilot),
  };
}
