import type { Answer, Estimate } from "@lethe/client";
import { isEstimate, keyWords, numberWords } from "../../words/cells.ts";

const [width, labels, height, margin] = [640, 170, 24, 12];
const mostBars = 40;

/** The first column of noisy numbers as bars, each with its interval as a whisker. Nothing where there is none to draw. */
export function AnswerChart({ answer: { columns, rows } }: { readonly answer: Answer }) {
  const drawn = columns.find(({ name }) => rows.some((row) => isNumeric(row[name])));
  if (!drawn || rows.length < 2) return null;
  const keys = columns.filter(({ kind }) => kind === "key").map(({ name }) => name);
  const bars = rows.slice(0, mostBars).flatMap((row) => {
    const cell = row[drawn.name];
    return isNumeric(cell) ? [{ label: keys.map((key) => keyWords(row[key])).join(" · "), cell }] : [];
  });
  const ends = bars.flatMap(({ cell }) => [cell.value ?? 0, cell.lower ?? 0, cell.upper ?? 0]);
  const [low, high] = [Math.min(0, ...ends), Math.max(0, ...ends)];
  const x = (value: number): number =>
    labels + ((value - low) / (high - low || 1)) * (width - labels - margin);
  return (
    <figure class="panel">
      <figcaption>
        {drawn.name}
        {rows.length > mostBars ? `, the first ${mostBars} rows` : ""}
      </figcaption>
      <svg
        viewBox={`0 0 ${width} ${bars.length * height + margin}`}
        role="img"
        aria-label={`${drawn.name} by ${keys.join(", ") || "row"}`}
      >
        {bars.map(({ label, cell }, at) => {
          const middle = at * height + height / 2 + margin / 2;
          const [from, to] = [x(0), x(cell.value ?? 0)];
          return (
            <g key={at}>
              <title>{`${label}: ${numberWords(cell.value, cell)}`}</title>
              <text x={labels - 8} y={middle + 4} text-anchor="end">
                {label.length > 24 ? `${label.slice(0, 23)}…` : label}
              </text>
              <rect
                class="bar"
                x={Math.min(from, to)}
                y={middle - 7}
                width={Math.abs(to - from)}
                height={14}
              />
              {cell.lower !== null && cell.upper !== null ? (
                <path
                  class="whisker"
                  d={`M${x(cell.lower)} ${middle}H${x(cell.upper)}M${x(cell.lower)} ${middle - 4}v8M${x(cell.upper)} ${middle - 4}v8`}
                />
              ) : null}
            </g>
          );
        })}
        <line class="axis" x1={x(0)} x2={x(0)} y1={0} y2={bars.length * height + margin} />
      </svg>
    </figure>
  );
}

function isNumeric(cell: unknown): cell is Estimate {
  return isEstimate(cell as Estimate) && typeof (cell as Estimate).value === "number";
}
