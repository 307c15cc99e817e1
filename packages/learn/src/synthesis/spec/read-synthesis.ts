import { LetheError } from "@lethe/core";
import type { Policy } from "@lethe/query";
import { type FileKind, invalidFile, type Path, readYaml } from "@lethe/query/files";
import { wordsOf } from "../../model/owners-words.ts";
import { publicDomain, readColumn, unfit } from "../../model/read-columns.ts";
import { checkCondition, checkSource, placed, sourceOf } from "../../model/read-model.ts";
import { type Attribute, checkedDomain, type Domain, evenEdges, mostAttributes } from "../domain/index.ts";
import { modelCaps } from "../plan/index.ts";
import { synthesisSchema } from "./synthesis-schema.ts";
import type { SynthesisFile, SynthesisSpec } from "./synthesis-spec.ts";

const synthesisFile: FileKind = {
  noun: "synthesis",
  unreadable: "model.unreadable",
  invalid: "model.invalid",
  exactSections: new Set(),
};

const usualBins = 32;

/**
 * Reads the description of a synthetic table from YAML text, and checks it against a policy. Pure: no file is opened, and no row is read.
 * Errors: model.unreadable (not YAML, anchors, repeated keys, over 1 MiB); model.invalid with the line, the key and what would be accepted.
 * @example await readSynthesis("version: 1\ntable: people\nmethod: mst\nbins: { age: 18 }", policy)
 */
export async function readSynthesis(text: string, policy: Policy): Promise<SynthesisSpec> {
  const tree = readYaml(text, synthesisFile);
  const result = synthesisSchema.safeParse(tree.data);
  if (!result.success) throw invalidFile(result.error.issues, tree, synthesisFile);
  const file = result.data;
  const at = <T>(path: Path, read: () => Promise<T>): Promise<T> => placed(tree, path, read);
  const [sourceKey, source] = sourceOf(file);
  const where = file.where ?? null;
  await at([sourceKey], () => checkSource(source, policy));
  if (where !== null) await at(["where"], () => checkCondition(source, where, policy));
  const { columns } = file;
  const read = async (name: string): Promise<Attribute> => readAttribute(source, name, file, policy);
  const { domain, leftOut } =
    columns === undefined
      ? await at([sourceKey], () => publicColumns(source, policy, read))
      : {
          domain: await Promise.all(columns.map((name, index) => at(["columns", index], () => read(name)))),
          leftOut: [],
        };
  await at(["bins"], async () => demandNumbers(file, domain));
  await at(columns === undefined ? [sourceKey] : ["columns"], async () => {
    demandFew(domain);
    checkedDomain(domain);
  });
  const { target } = file;
  if (target !== undefined) await at(["target"], async () => demandTarget(target, domain));
  const modelBytes = (file.model_mb ?? modelCaps[file.method].usual) * 1e6;
  return {
    ...({ version: 1, source, where } as const),
    ...wordsOf(file),
    ...(target === undefined ? {} : { target }),
    ...{ domain, method: file.method, modelBytes, leftOut },
  };
}

/** All columns of a table whose values are public, in the policy's order. Errors: model.invalid for a view, and where there is none. */
async function publicColumns(
  source: string,
  policy: Policy,
  read: (name: string) => Promise<Attribute>,
): Promise<{ readonly domain: Domain; readonly leftOut: readonly string[] }> {
  const table = Object.hasOwn(policy.tables, source) ? policy.tables[source] : undefined;
  if (!table)
    throw unfit(`${JSON.stringify(source)} is a view, whose columns must be named`, "write columns: [a, b]");
  const domain: Attribute[] = [];
  const leftOut: string[] = [];
  for (const name of Object.keys(table.columns)) {
    try {
      domain.push(await read(name));
    } catch (error) {
      if (!(error instanceof LetheError) || error.code !== "model.invalid") throw error;
      leftOut.push(name);
    }
  }
  if (domain.length === 0)
    throw unfit(
      "has no column with public values",
      "write bounds or categories at its columns in the policy",
    );
  return { domain, leftOut };
}

async function readAttribute(
  source: string,
  name: string,
  file: SynthesisFile,
  policy: Policy,
): Promise<Attribute> {
  const column = await readColumn(source, name, policy);
  const { nullable } = column;
  if (column.kind === "category")
    return { kind: "categories", name, categories: column.categories, nullable };
  const domain = await publicDomain(source, name, policy);
  const integer = domain.type === "number" && domain.integer;
  const bins = binsOf(file, name);
  return {
    kind: "bins",
    name,
    edges: integer ? wholeEdges(column.bounds, bins) : evenEdges(column.bounds, bins),
    integer,
    nullable,
  };
}

function binsOf({ bins = usualBins }: SynthesisFile, name: string): number {
  if (typeof bins === "number") return bins;
  return Object.hasOwn(bins, name) ? (bins[name] ?? usualBins) : usualBins;
}

/** Edges between whole numbers, so that every bin holds as many of them, give or take one, and none is empty. */
function wholeEdges([lo, hi]: readonly [number, number], bins: number): readonly number[] {
  const values = Math.floor(hi) - Math.ceil(lo) + 1;
  const count = Math.min(bins, values);
  return Array.from(
    { length: count + 1 },
    (_, at) => Math.ceil(lo) - 0.5 + Math.floor((values * at) / count),
  );
}

/** Errors: model.invalid for a target that is no column of the synthetic table, or its only one. */
function demandTarget(target: string, domain: Domain): void {
  const others = domain.filter(({ name }) => name !== target);
  if (others.length === domain.length)
    throw unfit(
      `${JSON.stringify(target)} is no column of the synthetic table`,
      `write target: ${others[0]?.name}, or another of its columns, or leave target out`,
    );
  if (others.length === 0)
    throw unfit(
      `${JSON.stringify(target)} is the only column of the synthetic table`,
      "take more columns, or leave target out",
    );
}

/** Errors: model.invalid for more columns than a synthetic table may have. */
function demandFew({ length }: Domain): void {
  if (length <= mostAttributes) return;
  throw unfit(
    `the synthetic table would have ${length} columns, and may have ${mostAttributes}`,
    `name at most ${mostAttributes} in columns: [a, b]`,
  );
}

/** Errors: model.invalid for bins of a column that is not cut into any. */
function demandNumbers({ bins }: SynthesisFile, domain: Domain): void {
  if (bins === undefined || typeof bins === "number") return;
  for (const name of Object.keys(bins)) {
    if (domain.some((attribute) => attribute.kind === "bins" && attribute.name === name)) continue;
    throw unfit(
      `${JSON.stringify(name)} is no number of the synthetic table`,
      "write bins of its number columns alone",
    );
  }
}
