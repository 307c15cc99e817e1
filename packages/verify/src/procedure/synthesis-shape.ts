import { event, positiveText } from "../format/core-texts.ts";
import { ownersWords } from "../format/owners-words.ts";
import {
  boolean,
  extended,
  integer,
  integerText,
  list,
  literal,
  Misshapen,
  nullable,
  number,
  object,
  type Read,
  tagged,
  text,
} from "../format/shape.ts";
import { category } from "./declared-shape.ts";
import type { Attribute, ReleasedTables, SynthesisPlan } from "./synthesis.ts";

const named = { name: text, nullable: boolean } as const;

const attribute: Read<Attribute> = tagged("kind", {
  categories: object({ ...named, kind: literal("categories"), categories: list(category) }),
  bins: object({ ...named, kind: literal("bins"), edges: list(number), integer: boolean }),
});

const sigma = positiveText;
const epsilon = positiveText;
const part = positiveText;
const stage: Read<SynthesisPlan["stages"][number]> = tagged("kind", {
  "measure-each": object({ kind: literal("measure-each"), tables: integer(1), sigma, part }),
  "measure-target": object({ kind: literal("measure-target"), tables: integer(1), sigma, part }),
  "choose-tree": object({ kind: literal("choose-tree"), choices: integer(1), epsilon, part }),
  "measure-chosen": object({ kind: literal("measure-chosen"), tables: integer(1), sigma, part }),
  "measure-pairs": object({ kind: literal("measure-pairs"), tables: integer(1), sigma, part }),
  "residual-rounds": object({ kind: literal("residual-rounds"), rounds: integer(1), sigma, epsilon, part }),
  "adaptive-rounds": object({ kind: literal("adaptive-rounds"), rounds: integer(1), sigma, epsilon, part }),
});

/** Reads the plan of a synthetic table. */
export const synthesisPlan: Read<SynthesisPlan> = extended(
  {
    ...{ version: literal(1), method: literal("mst", "aim", "residuals", "aim-grem") },
    ...{ source: text, where: nullable(text), domain: list(attribute) },
    session: object({
      measure: literal("gaussian-dp", "zcdp"),
      total: positiveText,
      adjacency: literal("add-or-remove-one", "replace-one"),
      rowsPerUnit: integerText,
    }),
    ...{ stages: list(stage), modelBytes: number, event },
  },
  { target: text, ...ownersWords },
);

const positive: Read<number> = (value, path) => {
  const found = number(value, path);
  if (!(found > 0)) throw new Misshapen(path, "a number above 0");
  return found;
};

const variances: Read<number | readonly number[]> = (value, path) =>
  typeof value === "number" ? positive(value, path) : list(positive)(value, path);

/** Reads the noisy tables of a synthesis. */
export const releasedTables: Read<ReleasedTables> = extended(
  {
    version: literal(1),
    merged: list(nullable(list(integer(0)))),
    measurements: list(object({ attributes: list(integer(0)), values: list(number), variances })),
  },
  { residuals: list(object({ attributes: list(integer(0)), values: list(number), variance: positive })) },
);
