import type { Loss } from "@lethe/client";
import { lossWords } from "../../words/loss-words.ts";
import { timeWords } from "../../words/time-words.ts";
import { visible } from "../../words/visible.ts";

/** One thing that a certificate states, in words: a line, or several. */
export interface Fact {
  readonly term: string;
  readonly lines: readonly string[];
}

/** Returns what a certificate states, in words. It may be a stranger's: what is not there, or of another form, is left out. */
export function certificateFacts(certificate: unknown): readonly Fact[] {
  const of = inside(certificate);
  const facts: readonly Fact[] = [
    { term: "Question", lines: texts(of("plan.text")) },
    { term: "Asked", lines: asked(texts(of("principal"))[0], texts(of("at"))[0]) },
    { term: "Protected", lines: protectedUnit(of("plan.unit"), texts(of("plan.adjacency"))[0]) },
    { term: "Limits", lines: limits(of("plan.contribution")) },
    { term: "Measured", lines: list(of("plan.measurements")).flatMap(measured) },
    { term: "Charge", lines: losses([of("charge")]) },
    { term: "In other measures", lines: others(losses(list(of("losses"))), losses([of("charge")])) },
    { term: "Event", lines: steps(of("plan.event")) },
    { term: "Odds", lines: odds(of("odds.advantage")) },
    { term: "Ledger", lines: record(of("ledger.sequence"), of("ledger.hash")) },
    { term: "Request", lines: texts(of("requestId")) },
  ];
  return facts.filter(({ lines }) => lines.length > 0);
}

type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members => typeof value === "object" && value !== null;
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Reads members by a path such as plan.text. */
function inside(value: unknown): (path: string) => unknown {
  return (path) =>
    path
      .split(".")
      .reduce<unknown>(
        (held, name) => (isMembers(held) && Object.hasOwn(held, name) ? held[name] : undefined),
        value,
      );
}

function texts(value: unknown): readonly string[] {
  return typeof value === "string" ? [visible(value)] : [];
}

function asked(who: string | undefined, at: string | undefined): readonly string[] {
  if (who === undefined) return [];
  return [at === undefined ? `by ${who}` : `by ${who}, ${timeWords(at)}`];
}

function protectedUnit(unit: unknown, adjacency: string | undefined): readonly string[] {
  const of = inside(unit);
  const [kind] = texts(of("kind"));
  const column = texts(of("column"))[0];
  const who =
    kind === "row"
      ? "Each row is a unit."
      : column === undefined
        ? null
        : `A unit is all rows with the same ${column}.`;
  const what =
    adjacency === "add-or-remove-one"
      ? "The answer is nearly as likely whether one unit is in the data or not."
      : adjacency === "replace-one"
        ? "The answer is nearly as likely if one unit is replaced by another."
        : null;
  return [who, what].filter((line) => line !== null);
}

function limits(contribution: unknown): readonly string[] {
  const of = inside(contribution);
  const [groups, rows] = [of("groups"), of("rows")];
  if (typeof groups !== "number" || typeof rows !== "number") return [];
  const counted = (number: number, word: string): string => `${number} ${word}${number === 1 ? "" : "s"}`;
  return [
    `A unit counts in at most ${counted(groups, "group")}, with at most ${counted(rows, "row")} in each.`,
  ];
}

function measured(measurement: unknown): readonly string[] {
  const of = inside(measurement);
  const [name, mechanism, scale] = [of("name"), of("noise.mechanism"), of("noise.scale")].map(
    (value) => texts(value)[0],
  );
  if (name === undefined || mechanism === undefined) return [];
  const noise = mechanism.replace(/@\d+$/, "").replaceAll("-", " ");
  return [`${name}: noise of the ${noise} law${scale === undefined ? "" : `, scale ${scale}`}`];
}

function losses(values: readonly unknown[]): readonly string[] {
  return values.flatMap((value) => {
    if (!isMembers(value)) return [];
    const numbers = ["epsilon", "delta", "rho"].filter((name) =>
      /^\d+(\/[1-9]\d*)?$/.test(String(value[name])),
    );
    const loss = Object.fromEntries(numbers.map((name) => [name, String(value[name])]));
    const words = lossWords({ measure: "approximate", ...loss } satisfies Loss);
    return words === "" ? [] : [words];
  });
}

function others(lines: readonly string[], than: readonly string[]): readonly string[] {
  return lines.filter((line) => !than.includes(line));
}

/** The steps of an event, each with its numbers; equal ones that follow one another are counted. */
function steps(event: unknown): readonly string[] {
  const of = inside(event);
  const [kind] = texts(of("kind"));
  if (kind === undefined || !isMembers(event)) return [];
  const within = [...list(of("events")), ...[of("event")].filter(isMembers)];
  if (kind === "compose" && within.length > 0) return counted(within.flatMap(steps));
  const numbers = Object.entries(event)
    .filter(
      ([name, value]) => !["kind", "version"].includes(name) && ["string", "number"].includes(typeof value),
    )
    .map(([name, value]) => `${visible(name)} ${visible(String(value))}`);
  const own = `${kind}${numbers.length > 0 ? ` (${numbers.join(", ")})` : ""}`;
  return within.length > 0 ? [`${own} of: ${counted(within.flatMap(steps)).join("; ")}`] : [own];
}

function counted(lines: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return [...counts].map(([line, count]) => (count === 1 ? line : `${count} × ${line}`));
}

function odds(advantage: unknown): readonly string[] {
  if (typeof advantage !== "number" || !(advantage >= 0 && advantage <= 1)) return [];
  const upwards = Math.ceil(advantage * 1e4) / 1e4;
  return [
    `Whoever guesses whether one unit is in the data has an advantage of at most ${upwards}: 0 is a coin, 1 is certainty.`,
  ];
}

function record(sequence: unknown, hash: unknown): readonly string[] {
  if (typeof sequence !== "number") return [];
  return [`record ${sequence}`, ...texts(hash).map((text) => `its hash: ${text}`)];
}
