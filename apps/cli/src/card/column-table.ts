import { bound, counted } from "./figures.ts";
import { type Block, code, plain, table } from "./markdown.ts";
import type { CardColumn } from "./model-part.ts";

/** So many categories are named; of more the number is told. */
const mostNamed = 20;

const missing: Readonly<Record<CardColumn["missing"], string>> = {
  never: "has the policy's default",
  "left out": "is left out",
  "a value of its own": "has a value of its own",
  neutral: "counts as the middle, or as no category",
};

/** The columns of a model with what the policy makes public of each. */
export function columnTable(columns: readonly CardColumn[]): Block {
  return table(
    ["column", "use", "values", "a row without one"],
    columns.map((column) => [
      code(column.name),
      column.use,
      valuesOf(column.values),
      missing[column.missing],
    ]),
  );
}

function valuesOf(values: CardColumn["values"]): string {
  if (values.kind === "number") {
    const [lo, hi] = values.bounds;
    const cut = values.bins === undefined ? "" : `, in ${counted(values.bins, "bin")}`;
    return `a number from ${bound(lo)} to ${bound(hi)}${cut}; one beyond counts as the nearer end`;
  }
  const { categories } = values;
  const named = categories.slice(0, mostNamed).map((category) => plain(String(category)));
  const more = categories.length - named.length;
  return `one of ${named.join(", ")}${more > 0 ? ` and ${bound(more)} more` : ""}`;
}
