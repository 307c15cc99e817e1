import { type Adjacency, type Event, invalidParameter, type Rational, ratio, toText } from "@lethe/core";
import {
  choiceCost,
  type SessionMeasure,
  type TableSessionSetting,
  tableSensitivity,
  tableSessionEvent,
} from "@lethe/core/mechanisms";
import { divide, elementAt, multiply, subtract } from "@lethe/core/numeric";
import { checkedDomain, type Domain, sizesOf } from "../domain/index.ts";
import { demandModelFits, modelBytes } from "../graph/index.ts";
import { epsilonWithin, type SynthesisBudget, sessionTotal, sigmaWithin } from "./shares.ts";

/** A step of a synthesis: what it asks of the rows and how precisely. `part` is the share of the plan's total that it may take. */
export type Stage =
  /** The counts of every attribute, with this noise on every cell. Values that are rare by them are merged. */
  | { readonly kind: "measure-each"; readonly tables: number; readonly sigma: string; readonly part: string }
  /** A tree of pairs, each chosen by its distance from what the model says. */
  | {
      readonly kind: "choose-tree";
      readonly choices: number;
      readonly epsilon: string;
      readonly part: string;
    }
  /** The tables of the chosen pairs. */
  | {
      readonly kind: "measure-chosen";
      readonly tables: number;
      readonly sigma: string;
      readonly part: string;
    }
  /** The tables of all pairs. */
  | { readonly kind: "measure-pairs"; readonly tables: number; readonly sigma: string; readonly part: string }
  /** Rounds of one choice and one table each, at most so many, starting at this noise and ε, which may grow more precise; the last takes what is left. */
  | {
      readonly kind: "adaptive-rounds";
      readonly rounds: number;
      readonly sigma: string;
      readonly epsilon: string;
      readonly part: string;
    };

/** Returns the stage of a kind; null where there is none. */
export function stageOf<K extends Stage["kind"]>(
  stages: readonly Stage[],
  kind: K,
): Extract<Stage, { readonly kind: K }> | null {
  const found = stages.find((stage): stage is Extract<Stage, { readonly kind: K }> => stage.kind === kind);
  return found ?? null;
}

/** All of a synthesis that is public: plain data, JSON throughout, made before a row is read. */
export interface SynthesisPlan {
  readonly version: 1;
  readonly method: SynthesisMethod;
  readonly domain: Domain;
  /** Exact texts. The stages draw through one session of this total, and cannot pass it. */
  readonly session: {
    readonly measure: SessionMeasure;
    readonly total: string;
    readonly adjacency: Adjacency;
    readonly rowsPerUnit: string;
  };
  /** The record to charge: of the whole session. */
  readonly event: Event;
  readonly stages: readonly Stage[];
  /** The cap of the model, in bytes. */
  readonly modelBytes: number;
}

/** MST and AIM choose what to measure; residuals measures all pairs, and reconstructs each from all that overlap it. */
export type SynthesisMethod = "mst" | "aim" | "residuals";

/** What a synthesis is asked to be. */
export interface SynthesisRequest {
  readonly method: SynthesisMethod;
  readonly domain: Domain;
  readonly adjacency: Adjacency;
  /** The most rows of one unit; they are limited to it before they are counted. */
  readonly rowsPerUnit?: number;
  readonly budget: SynthesisBudget;
  /** The most bytes of the model; 80 MB unless stated. */
  readonly modelBytes?: number;
}

/** Shares of the total: of single attributes, of choices; tables of pairs get the rest. */
const shares = {
  mst: { each: ratio(25n, 100n), choices: ratio(3n, 100n) },
  aim: { each: ratio(15n, 100n), choices: ratio(10n, 100n) },
  residuals: { each: ratio(20n, 100n), choices: ratio(0n) },
} as const;

/** AIM's rounds for each attribute, were the noise never lowered. */
const roundsForEach = 16;

const defaultModelBytes = 80_000_000;

/**
 * Plans a synthesis: MST measures every attribute, then the pairs of a tree that it chooses; AIM measures what its model knows worst, round by round, and
 * spends as its answers tell. The event is that of the whole, whatever the answers turn out to be. Proof: ./synthesis-plan.proof.md
 * Source: McKenna, Miklau & Sheldon 2021 (arXiv 2108.04978); McKenna, Mullins, Sheldon & Miklau 2022 (arXiv 2201.12677).
 * Errors: parameter.invalid for a broken domain, budget or cap; model.invalid where no model fits the cap.
 * @example planSynthesis({ method: "mst", domain, adjacency: "add-or-remove-one", budget }).stages.map(({ kind }) => kind)
 * // => ["measure-each", "choose-tree", "measure-chosen"]
 */
export function planSynthesis(request: SynthesisRequest): SynthesisPlan {
  const { method, adjacency, rowsPerUnit = 1, modelBytes: cap = defaultModelBytes } = request;
  const domain = checkedDomain(request.domain);
  if (!Object.hasOwn(shares, method))
    throw invalidParameter("method", method, Object.keys(shares).join(", "));
  if (!(Number.isFinite(cap) && cap > 0)) throw invalidParameter("modelBytes", cap, "a number of bytes > 0");
  const sizes = sizesOf(domain);
  demandModelFits(leastBytes[method](sizes), cap);
  const { measure, total } = sessionTotal(request.budget);
  const setting: TableSessionSetting = { measure, total: toText(total), adjacency, rowsPerUnit };
  const { l2Squared } = tableSensitivity(adjacency, rowsPerUnit);
  const parts = { measure, total, l2Squared, attributes: sizes.length };
  return {
    version: 1,
    method,
    domain,
    session: { measure, total: toText(total), adjacency, rowsPerUnit: rowsPerUnit.toString() },
    event: tableSessionEvent(setting),
    stages: sizes.length === 1 ? [measureEach(parts, ratio(1n))] : stagesOf[method](parts),
    modelBytes: cap,
  };
}

interface Parts {
  readonly measure: SessionMeasure;
  readonly total: Rational;
  readonly l2Squared: bigint;
  readonly attributes: number;
}

/** Bytes that a method may need whatever the answers. AIM keeps to the cap by itself, from the model of single attributes on. */
const leastBytes: Readonly<Record<SynthesisMethod, (sizes: readonly number[]) => number>> = {
  mst: largestTree,
  aim: (sizes) => modelBytes(sizes, []),
  residuals: allPairs,
};

const stagesOf: Readonly<Record<SynthesisMethod, (parts: Parts) => readonly Stage[]>> = {
  mst(parts) {
    const { each, choices } = shares.mst;
    const pairs = parts.attributes - 1;
    const chosen = multiply(parts.total, choices);
    const rest = subtract(parts.total, multiply(parts.total, plus(each, choices)));
    return [
      measureEach(parts, each),
      {
        kind: "choose-tree",
        choices: pairs,
        epsilon: toText(epsilonWithin(split(chosen, pairs), parts.measure)),
        part: toText(chosen),
      },
      {
        kind: "measure-chosen",
        tables: pairs,
        sigma: toText(sigmaWithin(split(rest, pairs), parts.l2Squared)),
        part: toText(rest),
      },
    ];
  },
  aim(parts) {
    const { each, choices } = shares.aim;
    const rounds = roundsForEach * parts.attributes;
    const rest = subtract(parts.total, multiply(parts.total, each));
    const round = split(rest, rounds);
    const choice = multiply(round, choices);
    return [
      measureEach(parts, each),
      {
        kind: "adaptive-rounds",
        rounds,
        sigma: toText(sigmaWithin(subtract(round, choice), parts.l2Squared)),
        epsilon: toText(epsilonWithin(choice, parts.measure)),
        part: toText(rest),
      },
    ];
  },
  residuals(parts) {
    const { each } = shares.residuals;
    const tables = (parts.attributes * (parts.attributes - 1)) / 2;
    const rest = subtract(parts.total, multiply(parts.total, each));
    return [
      measureEach(parts, each),
      {
        kind: "measure-pairs",
        tables,
        sigma: toText(sigmaWithin(split(rest, tables), parts.l2Squared)),
        part: toText(rest),
      },
    ];
  },
};

function measureEach({ total, l2Squared, attributes }: Parts, share: Rational): Stage {
  const part = multiply(total, share);
  return {
    kind: "measure-each",
    tables: attributes,
    sigma: toText(sigmaWithin(split(part, attributes), l2Squared)),
    part: toText(part),
  };
}

/** Returns AIM's next pair of noise and ε within what is left, of which a tenth is for the choice. */
export function lastRound(
  left: Rational,
  { measure, l2Squared }: { readonly measure: SessionMeasure; readonly l2Squared: bigint },
): { readonly sigma: Rational; readonly epsilon: Rational } {
  const epsilon = epsilonWithin(multiply(left, shares.aim.choices), measure);
  return { epsilon, sigma: sigmaWithin(subtract(left, choiceCost[measure](epsilon)), l2Squared) };
}

function split(part: Rational, count: number): Rational {
  return divide(part, ratio(BigInt(count)));
}

function plus(a: Rational, b: Rational): Rational {
  return ratio(a.num * b.den + b.num * a.den, a.den * b.den);
}

/** Bytes of the largest tree of pairs: Prim's algorithm on the numbers of cells. */
function largestTree(sizes: readonly number[]): number {
  if (sizes.length === 1) return 8 * elementAt(sizes, 0);
  const waiting = new Set(sizes.keys());
  waiting.delete(0);
  let [cells, largest] = [0, elementAt(sizes, 0)];
  // The largest attribute in the tree gives each next one its largest pair.
  const rest = [...waiting].map((at) => elementAt(sizes, at)).sort((a, b) => b - a);
  for (const size of rest) {
    cells += size * largest;
    largest = Math.max(largest, size);
  }
  return 8 * cells;
}

/** Bytes of the tables of all pairs, which are kept beside a tree of them. */
function allPairs(sizes: readonly number[]): number {
  const sum = sizes.reduce((total, size) => total + size, 0);
  const squares = sizes.reduce((total, size) => total + size * size, 0);
  return 8 * Math.max((sum * sum - squares) / 2, sum);
}
