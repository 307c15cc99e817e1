import { mixedNoise } from "@lethe/core/accuracy";
import { canonicalJson } from "@lethe/core/canonical";
import { elementAt } from "@lethe/core/numeric";
import type { Plan } from "@lethe/query";
import { answerFitsThePlan } from "../checks/answer.ts";
import { failed, passed, type Verdict, verdict } from "../checks/check.ts";
import { rowsAreThePlans } from "../checks/groups.ts";
import { agrees, cutter, partsOf, reachOfParts } from "../checks/intervals.ts";
import { hashOf } from "../checks/signature.ts";
import { named } from "../derive/named.ts";
import { keyColumnsOf } from "../derive/seen-rows.ts";
import { type Cell, type Estimate, isEstimate, type Release } from "../format/release.ts";
import type { ReadMade } from "./made-answer.ts";
import { madeNotes } from "./made-notes.ts";
import { allGroups, firstShown, groupsARow, notMadeOf, placesIn, type ShownTotal } from "./made-of.ts";
import { otherRows } from "./same-rows.ts";

/** Checks that the releases are those that the answer names, each once: all answers to one question, to one principal. */
export async function releasesAreNamed({ made, releases }: ReadMade): Promise<Verdict> {
  const due = await Promise.all(
    releases.map(async ({ release: { certificate }, signed }) => ({
      requestId: certificate.requestId,
      certificate: await hashOf(signed),
      at: certificate.at,
    })),
  );
  return verdict(
    [...unnamed(made.of, due), ...notOneQuestion(releases.map(({ release }) => release))],
    said.named,
  );
}

const said = {
  named: "the releases are those that the answer names, each once, and all answers to one question",
  makes: "the releases show all groups and numbers that the answer is made of, about the same rows",
  rows: "the numbers of the answer are those of the releases, added up and averaged, with the intervals of their noise",
  errors: "the errors are those of the noise that was released, and of the noise that would be bought",
} as const;

function* unnamed(of: ReadMade["made"]["of"], due: ReadMade["made"]["of"]): Iterable<string> {
  if (canonicalJson(of) !== canonicalJson(due)) yield "the answer names other releases than it holds";
  if (new Set(due.map(({ certificate }) => certificate)).size !== due.length)
    yield "a release is taken twice";
}

/** An id says of which question, asked by whom of which version of the data, it is, and in which place. */
function* notOneQuestion(releases: readonly Release[]): Iterable<string> {
  const ids = releases.map(({ certificate }) => /^(q-[0-9a-f]{32})-(\d+)$/.exec(certificate.requestId));
  if (new Set(ids.map((id) => id?.[1] ?? null)).size !== 1 || ids.includes(null))
    yield "the releases are not known to answer one question";
  else if (ids.length > 1 && ids.some((id, at) => id?.[2] !== String(at + 1)))
    yield "an answer that was given is left out, or they are not in their order";
  if (new Set(releases.map(({ certificate }) => certificate.principal)).size > 1)
    yield "the releases were given to several principals";
}

/** Checks that answers to the plan follow from the releases. */
export function releasesMakeIt({ made: { plan }, releases }: ReadMade): Verdict {
  const all = releases.map(({ release }) => release);
  return verdict(
    [...all.flatMap(({ certificate }) => [...otherRows(certificate.plan, plan)]), ...notMadeOf(plan, all)],
    said.makes,
  );
}

/** Checks the rows: their form, their order, and every number with its interval. */
export function rowsAreMade(read: ReadMade): Verdict {
  const { made } = read;
  const shown = asRelease(read);
  for (const judged of [answerFitsThePlan(shown), rowsAreThePlans(shown)])
    if (judged.outcome === "failed") return judged;
  const releases = read.releases.map(({ release }) => release);
  const keyColumns = keyColumnsOf(made.plan);
  const amiss = made.plan.outputs.flatMap((output, column): readonly string[] => {
    if (output.kind !== "aggregate") return [];
    const due = dueEstimates(made.plan, output.aggregate, releases, made.confidence);
    const follows = made.rows.every((row, at) => {
      const cell = row[column];
      // Where keys are not shown, rows in no order of their own come as the plan has them.
      const key = keyColumns.includes(-1)
        ? null
        : canonicalJson(keyColumns.map((place) => row[place] ?? null));
      const estimate = key === null ? [...due.values()][at] : due.get(key);
      return isEstimate(cell) && estimate !== undefined && isDue(cell, estimate);
    });
    return follows ? [] : [`column ${output.name} is not made of what the releases show`];
  });
  return verdict(amiss, said.rows);
}

/** The answer in the form of a release, whose certificate has its plan. */
function asRelease({ made, releases }: ReadMade): Release {
  const { release } = elementAt(releases, 0);
  const { columns, rows, notes, confidence, plan } = made;
  const { target: _, pilot: __, ...certificate } = release.certificate;
  return {
    version: 1,
    columns,
    rows,
    missing: [],
    notes,
    certificate: { ...certificate, plan, confidence },
    signature: release.signature,
  };
}

function isDue(cell: Estimate, { value, lower, upper }: DueEstimate): boolean {
  if (cell.value !== value) return false;
  return lower === null || upper === null
    ? cell.lower === lower && cell.upper === upper
    : agrees(cell, { lower, upper });
}

interface DueEstimate {
  readonly value: number | null;
  readonly lower: number | null;
  readonly upper: number | null;
}

interface DueTotal extends DueEstimate {
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
}

/** Returns the estimate of each group of the answer, by its key in JSON, in the order of the plan. */
function dueEstimates(
  asked: Plan,
  name: string,
  releases: readonly Release[],
  confidence: number,
): ReadonlyMap<string, DueEstimate> {
  const [first, second] = firstShown(asked, releases, name) ?? [];
  if (!first) throw new RangeError("a number that no release shows");
  if (!second) return dueTotals(asked, first, releases, confidence);
  const bounds = boundsOf(elementAt(releases, 0).certificate.plan, first);
  // Both intervals hold at once where each misses half as often.
  const both = 1 - (1 - confidence) / 2;
  const counts = [...dueTotals(asked, second, releases, both).values()];
  const sums = [...dueTotals(asked, first, releases, both)];
  return new Map(sums.map(([key, sum], at) => [key, quotient(sum, elementAt(counts, at), bounds)]));
}

/** Returns the least and the greatest value that a total sums, in the question's units. */
function boundsOf(plan: Plan, { total }: ShownTotal): readonly [number, number] {
  const { measurement } = elementAt(partsOf(total, plan), 0);
  const [term] = named(plan.measurements, measurement).terms;
  const sum = term && named(plan.sums, term.sum);
  if (!sum || !("grid" in sum)) throw new RangeError("an average of what has no bounds");
  const { lo, hi, exponent } = sum.grid;
  return [Number(lo) * 2 ** exponent, Number(hi) * 2 ** exponent];
}

/** Returns an average and all that it can be while its sum and its count lie in their intervals. */
function quotient(sum: DueTotal, count: DueTotal, [least, most]: readonly [number, number]): DueEstimate {
  if (!(count.value > 0)) return { value: null, lower: null, upper: null };
  const inside = (x: number): number => (x < least ? least : x > most ? most : x);
  const value = inside(sum.value / count.value);
  if (!(count.lower > 0)) return { value, lower: least, upper: most };
  const corners = [sum.lower, sum.upper].flatMap((s) => [s / count.lower, s / count.upper]);
  return { value, lower: inside(Math.min(...corners)), upper: inside(Math.max(...corners)) };
}

function dueTotals(
  asked: Plan,
  shown: ShownTotal,
  releases: readonly Release[],
  confidence: number,
): ReadonlyMap<string, DueTotal> {
  const { plan } = elementAt(releases, 0).certificate;
  const step = 2 ** shown.exponent / releases.length;
  const reach = reachOf(asked, releases, shown, confidence);
  const cut = cutter(partsOf(shown.total, plan), plan);
  const sums = new Map((allGroups(asked) ?? []).map((key) => [canonicalJson(key), 0n]));
  for (const release of releases) {
    const { plan: own } = release.certificate;
    const [columns, places] = [keyColumnsOf(own), placesIn(own, asked)];
    if (columns.includes(-1)) throw new RangeError("a release that does not show its keys");
    const groups = new Set<string>();
    for (const row of release.rows) {
      const key = columns.map((column) => row[column] ?? null);
      groups.add(canonicalJson(key));
      const group = canonicalJson(places.map((at) => key[at] ?? null));
      const before = sums.get(group);
      if (before === undefined) throw new RangeError("a released group that is none of the answer");
      sums.set(group, before + integerOf(row[shown.column], shown.exponent));
    }
    if (groups.size !== (allGroups(own)?.length ?? 0))
      throw new RangeError("a release without all its groups");
  }
  return new Map(
    [...sums].map(([key, sum]) => {
      const total = Number(sum);
      const nearest = cut(total);
      const centre = Math.abs(nearest - total) > reach ? nearest : total;
      return [
        key,
        { value: total * step + 0, lower: cut(centre - reach) * step, upper: cut(centre + reach) * step },
      ];
    }),
  );
}

/** Returns how far the sum of all released integers of a row may be off. */
function reachOf(
  asked: Plan,
  releases: readonly Release[],
  { total }: ShownTotal,
  confidence: number,
): number {
  const { plan } = elementAt(releases, 0).certificate;
  const draws = groupsARow(asked, plan) * releases.length;
  const parts = partsOf(total, plan);
  const noises = parts.map(({ measurement }) =>
    mixedNoise([{ draws, of: named(plan.measurements, measurement).noise }]),
  );
  return reachOfParts(
    noises,
    parts.map(({ weight }) => weight),
    confidence,
    draws,
  );
}

function integerOf(cell: Cell | undefined, exponent: number): bigint {
  const integer = isEstimate(cell) && cell.value !== null ? cell.value / 2 ** exponent : Number.NaN;
  if (!Number.isSafeInteger(integer))
    throw new RangeError("a released number that is no whole number of steps");
  return BigInt(integer);
}

/** Checks the two errors of each column: as it is made, and as it would be bought. */
export function errorsFollow({ made, releases: read }: ReadMade): Verdict {
  const { plan, confidence, errors } = made;
  const releases = read.map(({ release }) => release);
  const due = plan.outputs.flatMap((output) => {
    if (output.kind !== "aggregate") return [];
    const [shown] = firstShown(plan, releases, output.aggregate) ?? [];
    const aggregate = named(plan.aggregates, output.aggregate);
    if (!shown || (aggregate.kind !== "count" && aggregate.kind !== "sum")) return [];
    const unit = 2 ** shown.exponent;
    const parts = partsOf(aggregate.kind === "count" ? aggregate.count : aggregate.sum, plan);
    const noises = parts.map(({ measurement }) => named(plan.measurements, measurement).noise);
    const anew =
      reachOfParts(
        noises,
        parts.map(({ weight }) => weight),
        confidence,
      ) * unit;
    const here = (reachOf(plan, releases, shown, confidence) / releases.length) * unit;
    return [{ column: output.name, here, anew }];
  });
  const follows =
    due.length === errors.length &&
    due.every(({ column, ...widths }, at) => {
      const stated = elementAt(errors, at);
      return stated.column === column && isNear(stated.here, widths.here) && isNear(stated.anew, widths.anew);
    });
  return follows ? passed(said.errors) : failed("the errors are not those of the noise");
}

/** Up to the rounding of a few doubles; false for NaN. */
function isNear(x: number, y: number): boolean {
  return Math.abs(x - y) <= 2 ** -48 * Math.abs(y);
}

/** Checks that the notes are those that follow from the plans. */
export function madeNotesFollow({ made, releases }: ReadMade): Verdict {
  const { certificate } = elementAt(releases, 0).release;
  const due = madeNotes(made.plan, certificate, releases.length);
  return canonicalJson(due) === canonicalJson(made.notes)
    ? passed("the notes are those that follow from how the answer was made")
    : failed("the notes are not those that follow from how the answer was made");
}
