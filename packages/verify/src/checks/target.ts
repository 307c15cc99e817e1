import { parseRational, toDouble } from "@lethe/core";
import { compare, elementAt, fromDouble, multiply } from "@lethe/core/numeric";
import { answerErrors, type Plan, type Policy, parseQuestion, tablesRead } from "@lethe/query";
import {
  isEstimate,
  type ReadRelease,
  type Release,
  type Target,
  type TargetedAnswer,
} from "../format/release.ts";
import { readRelease } from "../format/release-shape.ts";
import { notMade, passed, type Verdict, verdict } from "./check.ts";
import { hashOf, rowsAreThoseSigned } from "./signature.ts";

/**
 * Checks the target error. It must be the one in the question, where that states one; it must be the share that it says, of the numbers that it says;
 * the noise that was bought must reach it, or its price be the question's cap; and no released interval of a count or a sum may be wider.
 */
export async function targetIsReached(
  { release, pilot }: ReadRelease,
  targetReleaseJson: string | undefined,
  policy: Policy | null,
): Promise<Verdict> {
  const { certificate } = release;
  const target = certificate.target!;
  const leaned = pilot ?? (targetReleaseJson === undefined ? null : readRelease(targetReleaseJson));
  const amiss = [
    ...(await textAmiss(certificate.plan, target)),
    ...(target.relative === null ? [] : expectedAmiss(release, target.relative, target.halfWidth, policy)),
    ...(target.released === null || leaned === null
      ? []
      : await leanedAmiss(target, target.released, leaned)),
    ...reachAmiss(release, target),
  ];
  if (amiss.length > 0) return verdict(amiss, "");
  if (target.released !== null && leaned === null)
    return notMade(
      `the noise is what the stated widths ask for; that they are a share of ${JSON.stringify(target.released.requestId)} needs that release`,
    );
  return passed(
    target.capped
      ? "the price is the question's cap, and the stated target follows from the pilot"
      : "the noise that was bought reaches the stated target",
  );
}

const percent = parseRational("1/100");

/**
 * Returns the differences between the target that the text states and the certified one. A target that was stated beside the text is known from the
 * certificate alone.
 */
async function textAmiss({ text, parameters }: Plan, target: Target): Promise<readonly string[]> {
  const { options } = await parseQuestion(text, parameters);
  const amiss: string[] = [];
  const share = target.released?.share ?? target.relative?.share ?? null;
  for (const { name, value } of options.filter(({ kind }) => kind !== "null")) {
    const isShare = name === "target_error_relative" || (name === "target_error" && value.endsWith("%"));
    if (isShare) {
      const stated = value.endsWith("%")
        ? multiply(parseRational(value.slice(0, -1)), percent)
        : parseRational(value);
      if (share === null || toDouble(parseRational(share), "down") !== toDouble(stated, "down"))
        amiss.push("the question states another share");
    } else if (
      name === "target_error" &&
      (share !== null || toDouble(parseRational(value), "down") !== target.halfWidth)
    )
      amiss.push("the question states another target error");
    if (name === "target_release" && value !== target.released?.requestId)
      amiss.push("the question names another release");
    if (
      name === "max_epsilon" &&
      target.capped &&
      compare(parseRational(target.epsilon), parseRational(value)) !== 0
    )
      amiss.push("the price is not the question's cap");
  }
  return amiss;
}

function shareOf(share: string, size: number): number {
  return toDouble(multiply(parseRational(share), fromDouble(size)), "down");
}

function* expectedAmiss(
  { certificate: { plan } }: Release,
  { share, expectedRows }: NonNullable<Target["relative"]>,
  halfWidth: number,
  policy: Policy | null,
): Iterable<string> {
  if (shareOf(share, expectedRows) !== halfWidth)
    yield "the width is not the stated share of the expected rows";
  if (policy && !tablesRead(plan).some((name) => policy.tables[name]?.expectedRows === expectedRows))
    yield "the policy expects another number of rows";
}

/** Values and widths, taken once more from the release that the target is a share of. */
async function leanedAmiss(
  target: Target,
  { requestId, share, answers }: NonNullable<Target["released"]>,
  { release: leaned, signed }: ReadRelease,
): Promise<readonly string[]> {
  const amiss: string[] = [];
  const hash = await hashOf(signed);
  if (hash !== target.certificate || leaned.certificate.requestId !== requestId)
    amiss.push("the release that it is a share of is another");
  if ((await rowsAreThoseSigned(leaned)).outcome === "failed")
    amiss.push("the rows that it is a share of are not those signed");
  for (const answer of answers) {
    const sizes = sizesOf(leaned, answer);
    const typical = sizes[Math.floor((sizes.length - 1) / 2)] ?? 0;
    if (sizes.length !== answer.values || typical !== answer.typical)
      amiss.push(`${answer.name} had other numbers there`);
    if (shareOf(share, answer.typical) !== answer.halfWidth)
      amiss.push(`${answer.name} has another width than its share`);
  }
  return amiss;
}

/** The sizes of the known numbers under a name, in order. */
function sizesOf({ columns, rows }: Release, { name }: TargetedAnswer): readonly number[] {
  const places = columns.flatMap((column, at) => (column.name === name ? [at] : []));
  return places
    .flatMap((at) => rows.map((row) => row[at]).filter(isEstimate))
    .flatMap(({ value }) => (value === null ? [] : [Math.abs(value)]))
    .sort((a, b) => a - b);
}

function* reachAmiss({ columns, rows, certificate }: Release, target: Target): Iterable<string> {
  const { plan, confidence } = certificate;
  const errors = answerErrors(plan, confidence, target.rows);
  const widths =
    target.released?.answers ?? errors.map(({ name }) => ({ name, halfWidth: target.halfWidth }));
  if (widths.length !== errors.length) yield "the target speaks of other answers";
  yield* reachedAmiss(target, errors, widths);
  if (
    target.capped !==
    errors.some(({ halfWidth }, at) => !((halfWidth ?? Infinity) <= (widths[at]?.halfWidth ?? 0)))
  )
    yield target.capped
      ? "the target is reached, and said not to be"
      : "the noise that was bought misses the target";
  if (target.capped) {
    if (certificate.pilot === undefined) yield "only what a pilot suggests is capped";
    return;
  }
  for (const [at, { halfWidth, column, kind }] of errors.entries()) {
    if (halfWidth === null || (kind !== "count" && kind !== "sum")) continue;
    const place = columns.findIndex(({ name }) => name === column);
    const most = 2 * (widths[at]?.halfWidth ?? 0) * (1 + 1e-12);
    const cells = rows.map((row) => row[place]).filter(isEstimate);
    if (cells.some(({ lower, upper }) => lower !== null && upper !== null && upper - lower > most))
      yield `an interval of ${column} is wider than its target`;
  }
}

/**
 * Yields what is wrong with the stated errors: for each answer the error of the noise that was bought, and for all together that of the answer that
 * is hardest to reach.
 */
function* reachedAmiss(
  { halfWidth, reached, released }: Target,
  errors: ReturnType<typeof answerErrors>,
  widths: readonly { readonly halfWidth: number }[],
): Iterable<string> {
  const known = errors.map((error) => (Number.isFinite(error.halfWidth) ? error.halfWidth : null));
  if (released?.answers.some((answer, at) => answer.reached !== known[at]))
    yield "an answer is said to reach another error than the noise that was bought gives it";
  const shares = known.map((error, at) =>
    error === 0 ? 0 : (error ?? Infinity) / (widths[at]?.halfWidth ?? 0),
  );
  const most = Math.max(0, ...shares) * (1 - 2 ** -40);
  const isHardest = known.some(
    (error, at) => error === reached && widths[at]?.halfWidth === halfWidth && elementAt(shares, at) >= most,
  );
  if (!isHardest) yield "the error that is reached, or its target, is not that of the hardest answer";
}
