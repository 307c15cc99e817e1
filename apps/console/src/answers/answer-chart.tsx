import type { Answer, Estimate } from "@lethe/client";
import { useRef } from "preact/hooks";
import { useWidth } from "../house/use-width.ts";
import { isEstimate, keyWords, numberWords } from "../words/cells.ts";
import { visible } from "../words/visible.ts";

const height = 28;
const margin = 12;
const mostBars = 40;

/** The first column of noisy numbers as bars, each with its interval as a whisker. Nothing where there is none to draw. */
export function AnswerChart({ answer: { columns, rows } }: { readonly answer: Answer }) {
  const figure = useRef<HTMLElement>(null);
  const width = Math.max(240, useWidth(figure));
  const drawn = columns.find(({ name }) => rows.some((row) => isNumeric(row[name])));
  if (!drawn || rows.length < 2) return null;
  const keys = columns.filter(({ kind }) => kind === "key").map(({ name }) => name);
  const bars = rows.slice(0, mostBars).flatMap((row) => {
    const cell = row[drawn.name];
    return isNumeric(cell) ? [{ label: keys.map((key) => keyWords(row[key])).join(" · "), cell }] : [];
  });
  const longest = Math.max(...bars.map(({ label }) => label.length));
  const labels = Math.min(width * 0.35, longest * 7.2 + 12);
  const most = Math.max(3, Math.floor(labels / 7.2));
  const ends = bars.flatMap(({ cell }) => [cell.value ?? 0, cell.lower ?? 0, cell.upper ?? 0]);
  const [low, high] = [Math.min(0, ...ends), Math.max(0, ...ends)];
  const x = (value: number): number =>
    labels + ((value - low) / (high - low || 1)) * (width - labels - margin);
  return (
    <figure class="chart" ref={figure}>
      <figcaption>
        <bdi>{visible(drawn.name)}</bdi> with its intervals
        {rows.length > mostBars ? `, the first ${mostBars} rows` : ""}
      </figcaption>
      <svg
        width={width}
        height={bars.length * height + margin}
        role="img"
        aria-label={visible(
          `${drawn.name} by ${keys.join(", ") || "row"}: the numbers are those of the table`,
        )}
      >
        <line class="axis" x1={x(0)} x2={x(0)} y1={0} y2={bars.length * height + margin} />
        {bars.map(({ label, cell }, at) => {
          const middle = at * height + height / 2 + margin / 2;
          const [from, to] = [x(0), x(cell.value ?? 0)];
          return (
            <g key={at}>
              <title>{`${label}: ${numberWords(cell.value, cell)}`}</title>
              <text x={labels - 10} y={middle + 4} text-anchor="end">
                {label.length > most ? `${label.slice(0, most - 1)}…` : label}
              </text>
              <rect
                class="bar"
                rx="2"
                x={Math.min(from, to)}
                y={middle - 8}
                width={Math.abs(to - from)}
                height={16}
              />
              {cell.lower !== null && cell.upper !== null ? (
                <path
                  class="whisker"
                  d={`M${x(cell.lower)} ${middle}H${x(cell.upper)}M${x(cell.lower)} ${middle - 5}v10M${x(cell.upper)} ${middle - 5}v10`}
                />
              ) : null}
            </g>
          );
        })}
      </svg>
    </figure>
  );
}

function isNumeric(cell: unknown): cell is Estimate {
  return isEstimate(cell as Estimate) && typeof (cell as Estimate).value === "number";
}
