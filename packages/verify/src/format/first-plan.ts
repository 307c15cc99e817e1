/*
 * Plans of version 1 spoke of keys, sums, measurements, trees, answers and columns by their places, and of the rows of a single table in a form of their own. They are
 * read in today's form, in which the rest of the verifier knows plans. What has not the form of version 1 is left as it is, and the reader of
 * today's form refuses it.
 */
import { writeSql } from "@lethe/query";
import { expression } from "./expression-shape.ts";
import { Misshapen } from "./shape.ts";

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns a list with each of its objects in another form. What else stands there stays, and is refused later. */
const mapped = (value: unknown, form: (members: Members, place: number) => unknown): unknown =>
  Array.isArray(value) ? value.map((each, place) => (isObject(each) ? form(each, place) : each)) : value;

/** Adds members of today's form. Errors: Misshapen where a plan of version 1 has one of them. */
function adding(added: Members, members: Members): Members {
  demandNone(Object.keys(added), members);
  return { ...added, ...members };
}

/** Errors: Misshapen where one of these members is there. */
function demandNone(names: readonly string[], members: Members): void {
  const known = names.find((name) => Object.hasOwn(members, name));
  if (known !== undefined) throw new Misshapen(`certificate.plan: ${known}`, "not there in version 1");
}

/** Returns what stands at a place; undefined, which is refused later, for what is no place. */
const placed = (list: readonly unknown[], place: unknown): unknown =>
  typeof place === "number" ? list[place] : undefined;

/** Returns an expression as SQL. Errors: Misshapen where it is none. */
const sqlOf = (value: unknown): string => writeSql(expression(value, "certificate.plan: an argument"));

/** Returns something of each object of a list; null for what is none. */
const each = <T>(value: unknown, read: (members: Members) => T): readonly (T | null)[] =>
  Array.isArray(value) ? value.map((one) => (isObject(one) ? read(one) : null)) : [];

/** Returns the version of the plan of a certificate. */
export function planVersion(certificate: unknown): 1 | 2 {
  return isObject(certificate) && isObject(certificate.plan) && certificate.plan.version === 1 ? 1 : 2;
}

/** Returns a release whose plans, that of its pilot too, have today's form. */
export function withTodaysPlans(release: unknown): unknown {
  if (!isObject(release) || !isObject(release.certificate)) return release;
  const { certificate } = release;
  const pilot = Object.hasOwn(certificate, "pilot") ? { pilot: withTodaysPlans(certificate.pilot) } : {};
  const plan =
    planVersion(certificate) === 1 && isObject(certificate.plan)
      ? { plan: todaysPlan(certificate.plan) }
      : {};
  return { ...release, certificate: { ...certificate, ...plan, ...pilot } };
}

function todaysPlan(plan: Members): Members {
  demandNone(["over", "others"], plan);
  const { contribution, sums, measurements, aggregates, keys, outputs, post, ...rest } = plan;
  const sumNames = freeNames(each(sums, sumText));
  const describes = (measured: Members): unknown => measured.describes;
  const measured = freeNames([...each(measurements, describes), ...each(plan.trees, describes)]);
  const names = measured.slice(0, each(measurements, describes).length);
  const trees = measured.slice(names.length);
  const answers = mapped(aggregates, (aggregate) => todaysAggregate(aggregate, names, trees));
  const answerNames = freeNames(each(answers, answerText));
  const keyNames = isObject(keys) ? each(keys.expressions, sqlOf) : [];
  const columnNames = each(outputs, ({ name }) => name);
  const setOf = (set: unknown): unknown =>
    Array.isArray(set) ? set.map((place) => placed(keyNames, place)) : set;
  const released = (value: unknown): unknown => todaysReleased(value, keyNames, answerNames);
  return {
    ...withRelation(rest),
    version: 2,
    contribution: todaysContribution(contribution),
    sums: mapped(sums, (sum, at) => adding({ name: sumNames[at] }, sum)),
    measurements: todaysMeasurements(measurements, names, sumNames),
    ...(Object.hasOwn(plan, "trees")
      ? {
          trees: mapped(plan.trees, ({ id: _, describes: __, ...tree }, at) =>
            adding({ name: trees[at] }, tree),
          ),
        }
      : {}),
    ...(Object.hasOwn(plan, "totals")
      ? {
          totals: mapped(plan.totals, (total) => ({
            ...total,
            keys: setOf(total.keys),
            measurements: todaysMeasurements(total.measurements, names, sumNames),
          })),
        }
      : {}),
    ...(isObject(plan.learned) ? { learned: todaysLearned(plan.learned, measured) } : {}),
    aggregates: mapped(answers, (answer, at) => adding({ name: answerNames[at] }, answer)),
    keys: todaysKeys(keys, keyNames),
    ...(Array.isArray(plan.groupings) ? { groupings: plan.groupings.map(setOf) } : {}),
    outputs: mapped(outputs, (output) => {
      if (output.kind === "computed") return { ...output, expression: released(output.expression) };
      if (output.kind === "interval-end") return { ...output, output: placed(columnNames, output.output) };
      const { name, ...column } = output;
      const shown = released(column);
      return isObject(shown) ? { name, ...shown } : shown;
    }),
    post: todaysPost(post, released),
  };
}

function todaysKeys(keys: unknown, names: readonly unknown[]): unknown {
  if (!isObject(keys)) return keys;
  const { expressions, ...rest } = keys;
  return adding({ parts: mapped(expressions, (expression, at) => ({ name: names[at], expression })) }, rest);
}

function todaysPost(post: unknown, released: (value: unknown) => unknown): unknown {
  if (!isObject(post)) return post;
  const { having, orderBy } = post;
  return {
    ...post,
    having: having === null ? null : released(having),
    orderBy: mapped(orderBy, (item) => ({ ...item, by: released(item.by) })),
  };
}

/** What is told of a key, by how often all keys stand before its place: its value, whether it is grouped away, and whether the row stands for others. */
const keyKinds = ["key", "grouped-away", "other"] as const;

/**
 * Returns an expression over released rows. Behind the places of the n keys followed n that told which of them are grouped away, and n that told of
 * which the row stands for all others. Errors: Misshapen for a kind that version 1 did not have.
 */
function todaysReleased(value: unknown, keys: readonly unknown[], answers: readonly unknown[]): unknown {
  if (!isObject(value)) return value;
  const of = (part: unknown): unknown => todaysReleased(part, keys, answers);
  switch (value.kind) {
    case "literal":
      return value;
    case "aggregate":
      return { ...value, aggregate: placed(answers, value.aggregate) };
    case "key": {
      const place = typeof value.key === "number" ? value.key : Number.NaN;
      const kind = keyKinds[Math.floor(place / keys.length)];
      if (kind === undefined) return { ...value, key: undefined };
      return { ...value, kind, key: placed(keys, place % keys.length) };
    }
    case "call":
      return { ...value, args: mapped(value.args, of) };
    case "case": {
      const branches = mapped(value.branches, (branch) => ({
        ...branch,
        when: of(branch.when),
        // biome-ignore lint/suspicious/noThenProperty: the plan's own name for a branch; it is never awaited
        then: of(branch.then),
      }));
      return { ...value, branches, otherwise: of(value.otherwise) };
    }
    default:
      throw new Misshapen("certificate.plan: an expression of released rows", "of a kind of version 1");
  }
}

/** Rows of a single table were the table and its columns; the unit of the plan says how they name their unit. */
function withRelation(plan: Members): Members {
  const { table, columns, ...rest } = plan;
  if (Object.hasOwn(rest, "from") || !isObject(rest.unit)) return plan;
  const { kind, column } = rest.unit;
  const unit = kind === "row" ? { kind } : { kind, column, path: [], names: { table, column } };
  return { ...rest, from: { kind: "table", table, source: null, unit, oncePer: null, columns } };
}

function todaysContribution(contribution: unknown): unknown {
  if (!isObject(contribution)) return contribution;
  const { bound, ...rest } = contribution;
  if (rest.order !== 2) return adding({ limit: bound, choosesGroups: false }, rest);
  const { order: _, ...others } = rest;
  return adding({ limit: bound, choosesGroups: true }, others);
}

function todaysMeasurements(
  measurements: unknown,
  names: readonly unknown[],
  sums: readonly unknown[],
): unknown {
  return mapped(measurements, ({ id: _, describes: __, terms, ...rest }, at) => ({
    ...adding({ name: names[at] }, rest),
    terms: mapped(terms, ({ column, ...term }) => adding({ sum: placed(sums, column) }, term)),
  }));
}

function todaysLearned({ stages, nominal, ...rest }: Members, measured: readonly unknown[]): Members {
  return {
    ...rest,
    stages: mapped(stages, ({ id: _, ...stage }) =>
      adding({ name: `cells of the size of ${sqlOf(stage.argument)}` }, stage),
    ),
    nominal: mapped(nominal, (noise, at) => adding({ name: measured[at] }, noise)),
  };
}

const measuredParts: ReadonlySet<string> = new Set(["count", "sum", "squares", "products", "otherSum"]);

function todaysAggregate(aggregate: Members, names: readonly unknown[], trees: readonly unknown[]): Members {
  return Object.fromEntries(
    Object.entries(aggregate).map(([part, value]) => {
      if (part === "tree") return [part, placed(trees, value)];
      return [part, measuredParts.has(part) ? placed(names, value) : value];
    }),
  );
}

/** Returns what an answer is and what it is read from. */
function answerText({ kind, tree, products, sum, count }: Members): unknown {
  return `${kind} of ${tree ?? products ?? sum ?? count}`;
}

/** Returns what a sum adds up, in the words of today's plans. */
function sumText({ kind, argument, other }: Members): unknown {
  const read = [argument, isObject(other) ? other.argument : null].filter(isObject);
  return read.length === 0 ? kind : `${kind} of ${read.map(sqlOf).join(" and ")}`;
}

/** Returns names that are all different: of equal ones, the second has a 2 behind it. */
function freeNames(wanted: readonly unknown[]): readonly unknown[] {
  const taken = new Set<unknown>();
  const numbers = new Map<unknown, number>();
  return wanted.map((name) => {
    let free = name;
    let number = numbers.get(name) ?? 2;
    for (; taken.has(free); number += 1) free = `${name} (${number})`;
    numbers.set(name, number);
    taken.add(free);
    return free;
  });
}
