import { LetheError } from "@lethe/core/errors";
import { elementAt } from "@lethe/core/numeric";
import type { Layer } from "../../kernels/network/network.ts";
import { type PlacedLayer, readNetwork } from "../../kernels/network/read-network.ts";
import type { DeclaredColumn } from "../../model/model.ts";
import { clampedText } from "../../models/column-text.ts";
import { double, literal } from "../../sql/literal.ts";
import { quoted } from "../../sql/quoted.ts";
import type { NetworkModel } from "./network-model.ts";
import { largestScore } from "./predict-network.ts";

/** A longer text is refused: each layer repeats the texts of the layer before. */
const longest = 1 << 20;

/**
 * Writes what {@link ./predict-network.ts} computes as the list of a SELECT, in PostgreSQL's syntax, over the model's columns. No row makes it fail. NaN
 * counts as missing there, and in SQL as a number above all others: keep it out of the table, as Lethe's own questions do.
 * Errors: model.invalid for layers of pictures and for norms, which one expression cannot say in short, and for a text of over 1 MiB.
 * @example `SELECT ${networkSql(model)} FROM people`
 */
export function networkSql({ network, weights, features, target }: NetworkModel): string {
  const { layers } = readNetwork(network);
  let vector: readonly string[] = features.flatMap(entryTexts);
  for (const placed of layers) {
    const own = weights.slice(placed.offset, placed.offset + placed.parameters);
    vector = layerTexts(placed, vector, own);
    if (vector.reduce((sum, text) => sum + text.length, 0) > longest)
      throw unsaid("an expression of over 1 MiB");
  }
  if (target.kind === "number") {
    const [lo, hi] = target.bounds;
    const scaled = `(${double(lo / 2 + hi / 2)} + ${elementAt(vector, 0)} * ${double(hi / 2 - lo / 2)})`;
    return `${clamped(scaled, lo, hi)} AS "prediction"`;
  }
  const named = target.categories.map(literal);
  return vector.length === 1
    ? twoClasses(elementAt(vector, 0), named)
    : checkedLength(manyClasses(vector, named));
}

/** The entries of one column. */
function entryTexts(column: DeclaredColumn): readonly string[] {
  if (column.kind === "category")
    return column.categories.map(
      (category) => `(CASE WHEN ${quoted(column.name)} = ${literal(category)} THEN 1e+0 ELSE 0e+0 END)`,
    );
  const [lo, hi] = column.bounds;
  const scaled = `((${clampedText(column)} - ${double(lo / 2 + hi / 2)}) / ${double(hi / 2 - lo / 2)})`;
  return [`COALESCE(${scaled}, 0e+0)`];
}

type Writer = (x: readonly string[], weights: readonly number[]) => readonly string[];

const each =
  (write: (x: string) => string): Writer =>
  (x) =>
    x.map(write);

const sigmoid = (x: string): string => `(1e+0 / (1e+0 + EXP(- ${clamped(x, -largestScore, largestScore)})))`;

const writers: Readonly<Partial<Record<Layer["layer"], Writer>>> = {
  linear(x, weights) {
    const outputs = weights.length / (x.length + 1);
    return Array.from({ length: outputs }, (_, output) => {
      const terms = x.map(
        (text, input) => `${double(elementAt(weights, input * outputs + output))} * ${text}`,
      );
      return `(${[double(elementAt(weights, x.length * outputs + output)), ...terms].join(" + ")})`;
    });
  },
  relu: each((x) => `GREATEST(0e+0, ${x})`),
  sigmoid: each(sigmoid),
  tanh: each((x) => `(2e+0 * ${sigmoid(`(2e+0 * ${x})`)} - 1e+0)`),
  flatten: (x) => x,
};

function layerTexts(
  { layer }: PlacedLayer,
  x: readonly string[],
  weights: readonly number[],
): readonly string[] {
  const write = writers[layer.layer];
  if (write) return write(x, weights);
  throw unsaid(`a layer ${layer.layer}`);
}

function twoClasses(score: string, [first = "NULL", second = "NULL"]: readonly string[]): string {
  return [
    `${score} AS "score"`,
    `${sigmoid(score)} AS "probability"`,
    `(CASE WHEN ${score} > 0 THEN ${second} ELSE ${first} END) AS "prediction"`,
  ].join(", ");
}

/** The first of the largest scores. */
function manyClasses(scores: readonly string[], named: readonly string[]): string {
  const most = `GREATEST(${scores.join(", ")})`;
  const shares = scores.map((score) => `EXP(${score} - ${most})`);
  const branches = scores.slice(0, -1).map((score, at) => `WHEN ${score} >= ${most} THEN ${named[at]}`);
  return [
    `(1e+0 / (${shares.join(" + ")})) AS "probability"`,
    `(CASE ${branches.join(" ")} ELSE ${named.at(-1)} END) AS "prediction"`,
  ].join(", ");
}

function checkedLength(text: string): string {
  if (text.length <= longest) return text;
  throw unsaid("an expression of over 1 MiB");
}

function clamped(text: string, lo: number, hi: number): string {
  return `GREATEST(${double(lo)}, LEAST(${double(hi)}, ${text}))`;
}

function unsaid(what: string): LetheError {
  return new LetheError("model.invalid", `this network is not written in SQL: it needs ${what}`, {
    fix: "ask for --format json, and predict with openNetwork of @lethe/learn/networks",
  });
}
