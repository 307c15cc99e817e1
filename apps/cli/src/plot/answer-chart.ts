import {
  asShown,
  holdsEstimates,
  isEstimate,
  isGroupedAway,
  isTimeEstimate,
  type Release,
  type ReleasedCell,
} from "@lethe/gateway";
import { byName, familyOf, shownColumns } from "@lethe/query";
import { keyText } from "@lethe/serve/formats";
import { renderLoss } from "../render/loss.ts";
import { confidencePercent } from "../render/number.ts";
import { printable } from "../render/printable.ts";
import type { Words } from "./sheet.ts";

/** The drawing of a released answer, as data: one panel for each number that was asked for. */
export interface AnswerChart {
  readonly words: Words;
  /** The key that the panels run over; null where there is none. */
  readonly axis: KeyAxis | null;
  /** Values of the other keys, in the order of their first row; empty where there are none. */
  readonly series: readonly string[];
  /** The names of those keys; null where there are none. */
  readonly seriesOf: string | null;
  readonly panels: readonly ChartPanel[];
  /** The parts that were left out, in words. */
  readonly left: readonly string[];
}

export interface KeyAxis {
  readonly name: string;
  /** "number" and "time" lie on a scale; "category" has a row for each value, in the order of the answer. */
  readonly kind: "category" | "number" | "time";
}

export interface ChartPanel {
  readonly name: string;
  /** Counts and sums are lengths from 0; averages and the like are points. */
  readonly isTotal: boolean;
  readonly marks: readonly ChartMark[];
}

export interface ChartMark {
  /** The key's value: a text on a row of categories, a number on a scale (times: milliseconds since 1970). */
  readonly key: string | number;
  readonly series: string;
  readonly value: number;
  /** Null where the answer has no interval. */
  readonly lower: number | null;
  readonly upper: number | null;
}

/** The most rows, panels and series that fit on one readable page. */
const most = { rows: 400, panels: 8, series: 12 } as const;
/** The most letters that fit the width. */
const longest = { title: 68, question: 88 } as const;

type Row = Release["rows"][number];

/** Returns the chart of a release: a function of what was released. */
export function chartOf(given: Release): AnswerChart {
  const release = asShown(given);
  const { columns, rows, certificate } = release;
  const keys = columns.flatMap((column, at) =>
    column.kind === "key" ? [{ ...column, at, kind: kindOf(release, at) }] : [],
  );
  const main = keys.find(({ kind }) => kind !== "category") ?? keys[0];
  const others = keys.filter((key) => key !== main);
  const labelOf = (row: Row, place: number, column: number): string =>
    labelText(row[column] ?? null, isGroupedAway(release, place, column));
  const named = (row: Row, place: number): string =>
    others.map(({ at }) => labelOf(row, place, at)).join(" · ");
  const all = others.length === 0 ? [] : [...new Set(rows.map(named))];
  const series = all.slice(0, most.series);
  const placed = rows.flatMap((row, at) => {
    const key =
      main === undefined
        ? ""
        : main.kind === "category"
          ? labelOf(row, at, main.at)
          : placeOf(row[main.at] ?? null, main.kind);
    return key === null ? [] : [{ row, key, series: named(row, at) }];
  });
  const apart = certificate.plan.groupings ? firstOfEachPlace(placed) : placed;
  const shown = apart.filter((row) => all.length === 0 || series.includes(row.series)).slice(0, most.rows);
  const estimated = columns.flatMap((column, at) => (holdsEstimates(column) ? [{ ...column, at }] : []));
  const values = estimated.filter(({ at }) => !rows.some((row) => isTimeEstimate(row[at] ?? null)));
  const panels = values.slice(0, most.panels).map(
    ({ name, at }): ChartPanel => ({
      name: printable(name),
      isTotal: isTotal(release, at),
      marks: shown.flatMap(({ row, key, series: of }) => {
        const cell = row[at] ?? null;
        if (!isEstimate(cell) || cell.value === null) return [];
        return [{ key, series: of, value: cell.value, lower: cell.lower, upper: cell.upper }];
      }),
    }),
  );
  const { charge, confidence } = certificate;
  const bars = `${confidencePercent(confidence)} intervals`;
  return {
    words: {
      title: titleOf(
        values.map(({ name }) => name),
        keys.map(({ name }) => name),
      ),
      subtitle: `${bars}, ${renderLoss(charge)}: ${questionOf(release)}`,
    },
    axis: main === undefined ? null : { name: printable(main.name), kind: main.kind },
    series,
    seriesOf: others.length === 0 ? null : printable(others.map(({ name }) => name).join(" · ")),
    panels,
    left: [
      ...leftOut(
        rows.length - placed.length,
        "row",
        `whose ${printable(main?.name ?? "key")} has no place on the axis`,
      ),
      ...leftOut(placed.length - apart.length, "total", "that would lie on another row"),
      ...leftOut(apart.length - shown.length, "row", "beyond the first"),
      ...leftOut(values.length - panels.length, "column", "beyond the first"),
      ...leftOut(estimated.length - values.length, "column", "of times"),
    ],
  };
}

/** A total whose keys are not shown lies on another row. */
function firstOfEachPlace<Row extends { readonly key: string | number; readonly series: string }>(
  rows: readonly Row[],
): readonly Row[] {
  const taken = new Set<string>();
  return rows.filter(({ key, series }) => {
    const place = JSON.stringify([key, series]);
    return !taken.has(place) && taken.add(place);
  });
}

/** "3 rows whose year has no place on the axis: not drawn". */
function leftOut(count: number, what: string, why: string): readonly string[] {
  return count > 0 ? [`${count} ${what}${count === 1 ? "" : "s"} ${why}: not drawn`] : [];
}

function kindOf({ certificate }: Release, at: number): KeyAxis["kind"] {
  const type = shownColumns(certificate.plan)[at]?.type;
  if (type === "number") return "number";
  return type === "date" || type === "timestamp" ? "time" : "category";
}

function isTotal({ certificate }: Release, at: number): boolean {
  const { outputs, aggregates, over } = certificate.plan;
  const output = over ? undefined : outputs[at];
  if (output?.kind !== "aggregate") return false;
  const answer = byName(aggregates, output.aggregate);
  return familyOf(answer).total(answer) !== null;
}

function placeOf(cell: ReleasedCell, kind: Exclude<KeyAxis["kind"], "category">): number | null {
  if (cell === null || typeof cell === "object" || typeof cell === "boolean") return null;
  const place = kind === "number" || typeof cell === "number" ? Number(cell) : timeOf(cell);
  return Number.isFinite(place) ? place : null;
}

/** "2024-03-01" and "2024-03-01 12:00:00" are of UTC. */
function timeOf(text: string): number {
  const iso = text.replace(" ", "T");
  return Date.parse(/[zZ]$|^\S{4,6}-\d\d-\d\d$/.test(iso) ? iso : `${iso}Z`);
}

function labelText(cell: ReleasedCell, isAway: boolean): string {
  return cell === "" ? "(empty)" : printable(keyText(cell, isAway));
}

/** "n, wage by sector". */
function titleOf(values: readonly string[], keys: readonly string[]): string {
  const by = keys.length === 0 ? "" : ` by ${keys.join(", ")}`;
  return cut(printable(`${values.join(", ") || "nothing"}${by}`), longest.title);
}

/** The question on one line. */
function questionOf({ certificate }: Release): string {
  return cut(printable(certificate.plan.text.replace(/\s+/g, " ").trim()), longest.question);
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${[...text].slice(0, most - 1).join("")}…`;
}
