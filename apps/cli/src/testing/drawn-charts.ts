import type { Element } from "happy-dom";
import type { Chart } from "../report/chart.ts";
import { drawCharts } from "../report/draw-chart.ts";
import { marksOf, parsedSvg, placeOf } from "./parsed-svg.ts";

/** The panels of a report's chart, drawn. */
export async function panelsOf(chart: Chart): Promise<readonly Element[]> {
  const [figure] = await drawCharts([chart]);
  const drawings = figure?.match(/<svg[\s\S]*?<\/svg>/g);
  if (!drawings) throw new Error("the chart was not drawn");
  return drawings.map(parsedSvg);
}

/** Returns where each number of an axis stands on a panel, told by two of its ticks. */
export function scaleOf(
  panel: Element,
  axis: "x" | "y",
  numberOf: (text: string) => number = parseFloat,
): (value: number) => number {
  const at = axis === "x" ? 0 : 1;
  const ticks = marksOf(panel, `${axis}-axis tick label`, "text").map(
    (tick) => [numberOf(tick.textContent), placeOf(tick)[at]] as const,
  );
  const [least, most] = [ticks[0], ticks.at(-1)];
  if (least === undefined || most === undefined) throw new Error(`the axis ${axis} has no ticks`);
  const [[low, first], [high, last]] = [least, most];
  return (value) => first + ((value - low) / (high - low)) * (last - first);
}
