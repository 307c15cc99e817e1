import { lossFromJson, lossToJson, type PrivacyLossText } from "@lethe/core";
import { composeLosses } from "@lethe/core/accounting";
import {
  asShown,
  type Estimate,
  holdsEstimates,
  isEstimate,
  isGroupedAway,
  isTimeEstimate,
  type Release,
  type ReleasedCell,
  type Repeat,
  type WindowedAccount,
} from "@lethe/gateway";
import { csvOf, keyText, namedAnswer, renderJson, type ShownAnswer } from "@lethe/serve/formats";
import { percentUp } from "../account/odds-in-words.ts";
import { renderGrid } from "./grid.ts";
import { terminalWidth } from "./layout/terminal-width.ts";
import { wrapFact } from "./layout/wrap.ts";
import { renderLoss } from "./loss.ts";
import { confidencePercent, decimalsFor, fixed, percent } from "./number.ts";
import { printable } from "./printable.ts";

/** The format in which `lethe query` prints a release. */
export type ReleaseFormat = "table" | "json" | "csv";

export interface ReleaseLayout {
  /** Whether every note is written out. */
  readonly verbose?: boolean;
  /** The columns of the terminal. */
  readonly width?: number;
  /** Where the answer was given before, and nothing is charged now. */
  readonly repeat?: Repeat | null;
}

export const renderRelease: Readonly<
  Record<ReleaseFormat, (release: Release, layout?: ReleaseLayout) => string>
> = {
  table: renderTable,
  json: (release, { repeat = null } = {}) => renderJson({ answer: namedAnswer(release, repeat), ...release }),
  csv: (release, { repeat = null } = {}) => csvOf(asShown(release, repeat?.columns)),
};

function renderTable(
  given: Release,
  { verbose = false, width = terminalWidth(), repeat = null }: ReleaseLayout = {},
): string {
  const release = asShown(given, repeat?.columns);
  const table = renderRows(release, release.certificate.confidence, width);
  return withFacts(table, renderFacts(release, verbose, repeat), width);
}

/** Returns a table with what is said of it below, each fact in lines of its own. */
export function withFacts(table: string, facts: readonly string[], width: number = terminalWidth()): string {
  return [table, "", ...facts.map((fact) => wrapFact(printable(fact), width))].join("\n");
}

/** Renders rows as a table: a column a key, and two an estimate. */
export function renderRows(release: ShownAnswer, coverage: number, width: number = terminalWidth()): string {
  const { columns, rows } = release;
  const confidence = `${confidencePercent(coverage)} interval`;
  const hasInterval = columns.map(
    (column, at) => holdsEstimates(column) && rows.some((row) => isKnown(row[at] ?? null)),
  );
  const header = columns.flatMap((column, at) =>
    hasInterval[at] ? [column.name, confidence] : [column.name],
  );
  const right = columns.flatMap((column, at) => (hasInterval[at] ? [true, false] : [holdsEstimates(column)]));
  // One number of decimals a column, so that digits align; two significant digits of its narrowest interval.
  const decimals = columns.map((_, column) => {
    const cells = rows.map((row) => row[column] ?? null).filter(isEstimate);
    return Math.max(
      0,
      ...cells.map(({ lower, upper }) =>
        isWhole(lower) && isWhole(upper) ? 0 : decimalsFor((Number(upper) - Number(lower)) / 2),
      ),
    );
  });
  const body = rows.map((row, at) =>
    row.flatMap((cell, column) =>
      isEstimate(cell)
        ? estimateCells(cell, decimals[column] ?? 0).slice(0, hasInterval[column] ? 2 : 1)
        : isTimeEstimate(cell)
          ? [cell.value, `${cell.lower} … ${cell.upper}`]
          : [
              columns[column]?.kind === "label"
                ? labelText(cell)
                : keyText(cell, isGroupedAway(release, at, column)),
            ],
    ),
  );
  return rows.length > 0 ? renderGrid(header, body, right, width) : "No row was released.";
}

/** Whether a cell has an interval, or may have one in another release: a column in which none has says nothing by it. */
function isKnown(cell: ReleasedCell): boolean {
  return isTimeEstimate(cell) || (isEstimate(cell) && (cell.lower !== null || cell.value === null));
}

/** A count's ends are whole, whatever the width; an unknown end asks for no decimals. */
function isWhole(end: number | null): boolean {
  return end === null || Number.isInteger(end);
}

function estimateCells({ value, lower, upper }: Estimate, decimals: number): string[] {
  const digits = (x: number): string => fixed(x, decimals);
  if (value === null) return ["—", "—"];
  if (lower === null || upper === null) return [digits(value), "—"];
  return [digits(value), `${digits(lower)} … ${digits(upper)}`];
}

/** An end of an interval, told to as many digits as say something. */
function labelText(cell: ReleasedCell): string {
  return typeof cell === "number" && !Number.isInteger(cell)
    ? String(Number(cell.toPrecision(6)))
    : keyText(cell);
}

/** Renders what a certificate says of the account: for what was charged, `price` in words. */
export function renderCharge(
  certificate: Pick<
    Release["certificate"],
    "account" | "requestId" | "principal" | "charge" | "odds" | "pilot"
  >,
  price: string = renderLoss(certificate.charge),
): string[] {
  const { account, requestId, principal } = certificate;
  return [
    `Price   ${price}, charged to ${principal} as ${requestId}`,
    `Left    ${renderLeft(account)}`,
    `Odds    ${renderOdds(certificate)}`,
  ];
}

/** Renders what an attacker gains from an answer, where it states that, and from all releases so far. */
function renderOdds({
  account,
  odds,
  pilot,
}: Pick<Release["certificate"], "account" | "odds" | "pilot">): string {
  const all = "spent" in account ? percentUp(account.membershipAdvantage) : null;
  if (!odds)
    return all === null
      ? untold
      : `all releases so far raise anyone's chance of telling whether one person is in the data by at most ${all}`;
  const answer = pilot ? "this answer, its pilot aside," : "this answer";
  return `from ${answer} a test for one person's presence gains at most ${percentUp(odds.advantage)} over guessing; at 1 false alarm in 100 it finds at most ${percentUp(odds.truePositives)} of those who are in the data. ${all === null ? untold : `From all releases so far it gains at most ${all}`}`;
}

const untold = "What all releases so far tell is not told here";

/** Renders what is left of an account, as far as the certificate tells it. */
export function renderLeft(account: Release["certificate"]["account"]): string {
  if ("lifetime" in account) return `${renderWindows(account)}, unbounded over time`;
  if (!("spent" in account)) return `not told here, of the account's ${renderLoss(account.granted)}`;
  return `${renderLoss(account.left, "down")} of ${renderLoss(account.granted)}`;
}

/** Renders the windows that alone bound an account. */
export function renderWindows({ windows }: WindowedAccount): string {
  return windows.map(({ per, ...window }) => `${renderLoss(grantOf(window))} a ${per}`).join(", ");
}

function grantOf({ measure, main, delta }: Omit<WindowedAccount["windows"][number], "per">): PrivacyLossText {
  const [first, second] = [main ?? "0", delta ?? "0"];
  if (measure === "pure") return { measure, epsilon: first };
  return measure === "approximate"
    ? { measure, epsilon: first, delta: second }
    : { measure, rho: first, delta: second };
}

/** Renders what an answer that was given before says of the account: of now, that nothing is charged; all else is of then. */
export function renderRepeat(certificate: Release["certificate"], { asOf }: Pick<Repeat, "asOf">): string[] {
  const then = renderCharge(certificate, renderPrice(certificate));
  return [
    `As of   ${asOf}: answered then and shown again, so nothing is charged now (--fresh pays for a new answer)`,
    ...then.map((fact) => fact.replace(/^\S+\s+/, (word) => `${word}then `)),
  ];
}

function renderFacts(
  { rows, missing, notes, certificate }: Release,
  verbose: boolean,
  repeat: Repeat | null,
): string[] {
  const facts = repeat
    ? renderRepeat(certificate, repeat)
    : renderCharge(certificate, renderPrice(certificate));
  const chances = missing.map(({ units, chance }) => `${units}: ${percent(chance)}`).join(", ");
  const first =
    missing.length > 0
      ? [`Missing groups are never named. Chance that a group is missing, by its number of units: ${chances}`]
      : [];
  return [...facts, ...renderNotes({ rows, notes }, verbose, first)];
}

/** Returns the notes on rows, after what is told before them: all of them, or their beginning. */
export function renderNotes(
  { rows, notes }: Pick<Release, "rows" | "notes">,
  verbose: boolean,
  first: readonly string[] = [],
): readonly string[] {
  const all = [...notes, ...(rows.some((row) => row.some(isOutside)) ? [outsideNote] : [])];
  const told = [...first, ...all.map((note) => `Note    ${note}`)];
  return verbose || told.length === 0 ? told : [`Notes   ${shortNotes(told)}`];
}

const shortestCut = 60;

/** The beginning of the first note, and how many there are: --verbose writes them out. */
function shortNotes(told: readonly string[]): string {
  const first = told[0]?.replace(/^Note {4}/, "") ?? "";
  const cut = first.length > shortestCut ? `${first.slice(0, shortestCut).replace(/\s+\S*$/, "")} …` : first;
  if (told.length === 1 && cut === first) return first;
  return `${told.length}: ${cut} (--verbose shows ${told.length === 1 ? "it" : "all"})`;
}

/** Renders the price; for a question with a pilot, the price of each request, and of both together. */
function renderPrice({ charge, pilot, target }: Release["certificate"]): string {
  if (pilot === undefined) return renderLoss(charge);
  const first = pilot.certificate.charge;
  if (target === undefined) return `${renderLoss(first)} for the pilot alone`;
  const both = composeLosses(charge.measure, [first, charge].map(lossFromJson));
  return `${renderLoss(lossToJson(both))}: ${renderLoss(first)} for the pilot, ${renderLoss(charge)} for the answer`;
}

const outsideNote =
  "a value outside its interval is shown as it was drawn, because a changed value would be biased; rely on the interval";

/** Whether a value lies outside its interval, such as a count below 0: the interval is clipped to what is possible, the value is not. */
function isOutside(cell: ReleasedCell): boolean {
  if (!isEstimate(cell) || cell.value === null) return false;
  const { value, lower, upper } = cell;
  return (lower !== null && value < lower) || (upper !== null && value > upper);
}
