import { canonicalJson } from "@lethe/core/canonical";
import { failed, notMade, passed, type Verdict, verdict } from "../checks/check.ts";
import { shows } from "../checks/computed.ts";
import { hidden } from "../derive/released/released-value.ts";
import { type Cell, type Column, isEstimate, type Release } from "../format/release.ts";
import { answersOf } from "./answers-of.ts";
import type { MadeCell, MadeColumn, MadeRows } from "./made-rows.ts";
import { overRows } from "./over-rows.ts";
import { stepsLeft, Unmade } from "./unmade.ts";

/**
 * Checks that what a question shows of an answer follows from the answer's rows: columns that it copies, cell by cell, and the values of all others.
 * The intervals of these rest on noisy integers that are not released.
 */
export function overFollows(release: Release): Verdict {
  const { over: shown, certificate } = release;
  const { over } = certificate.plan;
  if (!over) return passed("nothing is selected over the answer");
  if (!shown)
    return notMade(
      "the SELECT over the answer makes more than a release shows, so there is nothing to compare",
    );
  const answers = answersOf(release);
  const { columns } = overRows(over, (name) => ({ ...answers(name), rows: [] }), stepsLeft());
  const form = [...formAmiss(shown, columns)];
  if (form.length > 0) return verdict(form, follows);
  try {
    return valuesFollow(shown, overRows(over, answers, stepsLeft()));
  } catch (error) {
    if (error instanceof Unmade) return notMade(error.message);
    throw error;
  }
}

const follows = "what is selected over the answer follows from its rows";

type Shown = NonNullable<Release["over"]>;

function* formAmiss(shown: Shown, columns: readonly MadeColumn[]): Iterable<string> {
  const due = columns.map((column) => ({ name: column.name, kind: kindOf(column) }));
  if (canonicalJson(shown.columns) !== canonicalJson(due)) {
    yield "the columns over the answer are not those that the SELECT puts out";
    return;
  }
  const isFormed = shown.rows.every(
    (row) =>
      row.length === columns.length && columns.every((column, at) => cellFits(row[at] ?? null, column)),
  );
  if (!isFormed) yield "a cell over the answer has not the form that its column has";
  const made = columns.flatMap(({ copied }, at) => (copied === null ? [at] : []));
  if (!shown.rows.every((row) => made.every((at) => isInterval(row[at] ?? null))))
    yield "an interval over the answer has one end only, or is empty";
}

/** A number that is no copy is computed, and anything else that is none is a label. */
function kindOf({ copied, isNumber }: MadeColumn): Column["kind"] {
  return copied ?? (isNumber ? "computed" : "label");
}

/** Copies have the form of the cells that they are compared with. */
function cellFits(cell: Cell, { copied, isNumber }: MadeColumn): boolean {
  if (copied !== null) return true;
  return isNumber ? isEstimate(cell) : typeof cell !== "object" || cell === null;
}

function isInterval(cell: Cell): boolean {
  if (!isEstimate(cell)) return true;
  const { lower, upper } = cell;
  return lower === null || upper === null ? lower === upper : lower <= upper;
}

function valuesFollow(shown: Shown, { columns, rows }: MadeRows): Verdict {
  if (shown.rows.length !== rows.length)
    return failed(`the SELECT over the answer makes ${rows.length} rows, not ${shown.rows.length}`);
  const amiss: string[] = [];
  let isHidden = false;
  for (const [at, column] of columns.entries()) {
    const found = rows.map((row, place) => cellFollows(shown.rows[place]?.[at], row[at], column));
    isHidden ||= found.includes(hidden);
    if (found.includes(false))
      amiss.push(`column ${column.name} over the answer is not what the SELECT makes of its rows`);
  }
  if (amiss.length === 0 && isHidden)
    return notMade("columns over the answer hold values that rounding may have decided");
  return verdict(amiss, follows);
}

/** Whether a cell is the one that is due; hidden where that cannot be seen. */
function cellFollows(
  shown: Cell | undefined,
  due: MadeCell | undefined,
  { copied }: MadeColumn,
): boolean | typeof hidden {
  if (shown === undefined || due === undefined) return false;
  if (copied !== null) return canonicalJson(shown) === canonicalJson(due.cell);
  if (due.value === hidden) return hidden;
  return shows(shown, due.value);
}
