import { parseRational, type Rational } from "@lethe/core";
import { add, compare, zero } from "@lethe/core/numeric";
import type { BudgetFile, CapsFile, ScopeFile } from "./policy-file.ts";

/** What is wrong at a place of the budget, and what would be accepted. */
export interface BudgetFault {
  readonly path: readonly (string | number)[];
  readonly wrong: string;
  readonly fix: string;
}

type Path = BudgetFault["path"];

/** Returns what is wrong between the keys of a budget, each of which is well-formed by itself. */
export function checkBudget(budget: BudgetFile): readonly BudgetFault[] {
  return [
    ...(budget.lifetime === "none" ? windowsAlone(budget) : lifetimeStated(budget)),
    ...windowFaults(budget, ["windows"], budget.windows),
    ...scopesOf(budget).flatMap(({ path, caps }) => scopeFaults(budget, path, caps)),
    ...reservedFaults(budget),
  ];
}

/** The number that an account of this measure counts. */
function mainOf({ measure }: BudgetFile): "epsilon" | "rho" {
  return measure === "zcdp" ? "rho" : "epsilon";
}

function* windowsAlone(budget: BudgetFile): Iterable<BudgetFault> {
  for (const key of ["epsilon", "rho", "delta"] as const)
    if (budget[key] !== undefined)
      yield {
        path: [key],
        wrong: "is a lifetime's, and lifetime: none says that there is none",
        fix: `remove it, or remove lifetime: none`,
      };
  if (!budget.windows?.length)
    yield {
      path: ["lifetime"],
      wrong: "is none, and no window bounds what is spent",
      fix: `write windows: [{ per: month, ${mainOf(budget)}: 1 }]`,
    };
  else if (budget.measure !== "pure" && budget.windows.every(({ delta }) => delta === undefined))
    yield {
      path: ["windows"],
      wrong: "bound no delta, and no lifetime does",
      fix: "state delta in at least one window",
    };
}

function* lifetimeStated({ measure, epsilon, rho, delta }: BudgetFile): Iterable<BudgetFault> {
  const stated = (path: string, domain: string): BudgetFault => ({
    path: [path],
    wrong: `must be a number, ${domain}`,
    fix: `write ${path} as 0.5, 1e-6 or "1/3"`,
  });
  if (measure !== "zcdp") {
    if (epsilon === undefined) yield stated("epsilon", "above 0");
    if (measure === "approximate" && delta === undefined) yield stated("delta", "above 0 and below 1");
    return;
  }
  const fix = "write rho alone, or epsilon together with delta";
  if ((rho === undefined) === (epsilon === undefined))
    yield {
      path: [rho === undefined ? "measure" : "epsilon"],
      wrong: "a zcdp account states rho, or epsilon and delta",
      fix,
    };
  else if (epsilon !== undefined && !(compare(parseRational(delta ?? "0"), zero) > 0))
    yield { path: ["epsilon"], wrong: "needs a delta above 0 to become a rho", fix };
}

interface Scope {
  readonly path: Path;
  readonly caps: string | ScopeFile;
}

function scopesOf({ analysts = {}, projects = {}, datasets = {} }: BudgetFile): readonly Scope[] {
  return [
    ...Object.entries(analysts).map(([name, caps]) => ({ path: ["analysts", name], caps })),
    ...Object.entries(projects).flatMap(([name, { analysts: members = {}, ...caps }]) => [
      { path: ["projects", name], caps },
      ...Object.entries(members).map(([member, own]) => ({
        path: ["projects", name, "analysts", member],
        caps: own,
      })),
    ]),
    ...Object.entries(datasets).map(([name, caps]) => ({ path: ["datasets", name], caps })),
  ];
}

function scopeFaults(budget: BudgetFile, path: Path, caps: string | ScopeFile): readonly BudgetFault[] {
  const main = mainOf(budget);
  // A number alone has been held against the ε of a zcdp account that is written with one.
  const whole = typeof caps === "string" ? (budget.rho ?? budget.epsilon) : budget[main];
  const [own, at] = typeof caps === "string" ? [caps, path] : [caps[main], [...path, main]];
  const above = aboveWhole(own, whole, at);
  if (typeof caps === "string") return above;
  return [
    ...above,
    ...(budget.epsilon !== undefined && budget.measure === "zcdp"
      ? []
      : aboveWhole(caps.delta, budget.delta, [...path, "delta"])),
    ...measureFaults(budget, path, caps),
    ...windowFaults(budget, [...path, "windows"], caps.windows),
  ];
}

function aboveWhole(part: string | undefined, whole: string | undefined, path: Path): readonly BudgetFault[] {
  if (part === undefined || whole === undefined) return [];
  if (compare(parseRational(part), parseRational(whole)) <= 0) return [];
  return [{ path, wrong: "is above the whole budget", fix: `write at most ${whole}` }];
}

/** Refuses numbers that an account of this measure does not count. */
function* measureFaults(budget: BudgetFile, path: Path, caps: CapsFile): Iterable<BudgetFault> {
  const { measure } = budget;
  const [main, other] =
    mainOf(budget) === "rho" ? (["rho", "epsilon"] as const) : (["epsilon", "rho"] as const);
  if (caps[other] !== undefined)
    yield { path: [...path, other], wrong: `is not what a ${measure} account counts`, fix: `write ${main}` };
  if (measure === "pure" && caps.delta !== undefined)
    yield {
      path: [...path, "delta"],
      wrong: "a pure account has no delta",
      fix: "remove it, or choose measure: approximate",
    };
}

function* windowFaults(
  budget: BudgetFile,
  path: Path,
  windows: BudgetFile["windows"] = [],
): Iterable<BudgetFault> {
  for (const [at, window] of windows.entries()) {
    yield* measureFaults(budget, [...path, at], window);
    const main = mainOf(budget);
    if (window[main] === undefined)
      yield { path: [...path, at], wrong: `states no ${main}`, fix: `write ${main}: 1 beside per` };
    if (windows.findIndex(({ per }) => per === window.per) < at)
      yield {
        path: [...path, at, "per"],
        wrong: `a window of a ${window.per} is stated twice`,
        fix: "keep one of the two",
      };
  }
}

/** Refuses reserved parts that keep nothing, or that the account could not keep all at once. */
function* reservedFaults(budget: BudgetFile): Iterable<BudgetFault> {
  const main = mainOf(budget);
  const sums = { main: zero, delta: zero };
  for (const { path, caps } of scopesOf(budget)) {
    if (typeof caps === "string" || caps.reserved !== true) continue;
    const limits = (per: string | null): CapsFile | undefined =>
      per === null
        ? budget.lifetime === "none"
          ? undefined
          : budget
        : budget.windows?.find((window) => window.per === per);
    const own = [
      ...(caps[main] === undefined && caps.delta === undefined ? [] : [{ cap: caps, of: limits(null) }]),
      ...(caps.windows ?? []).map((window) => ({ cap: window, of: limits(window.per) })),
    ].filter(({ of }) => of !== undefined);
    if (own.length === 0)
      yield {
        path: [...path, "reserved"],
        wrong: "keeps nothing: no cap stands beside it over a time that the account limits",
        fix: `write ${main}: 1 beside it`,
      };
    for (const { cap, of } of own)
      if (cap[main] === undefined || (cap.delta === undefined && isAbove(of?.delta)))
        yield {
          path: [...path, "reserved"],
          wrong: `keeps nothing without ${cap[main] === undefined ? main : "delta"}: whoever takes all of that takes all`,
          fix: "state every number that the account limits",
        };
    sums.main = add(sums.main, parseRational(caps[main] ?? "0"));
    sums.delta = add(sums.delta, parseRational(caps.delta ?? "0"));
  }
  for (const [key, sum] of [
    [main, sums.main],
    ["delta", sums.delta],
  ] as const)
    if (isMore(sum, budget[key], budget))
      yield {
        path: [key],
        wrong: "is less than the reserved parts together",
        fix: "reserve less, or grant more",
      };
}

function isAbove(delta: string | undefined): boolean {
  return delta !== undefined && compare(parseRational(delta), zero) > 0;
}

/** Whether a sum is above what the account grants. Of a zcdp account that is written with ε, the ledger alone knows what δ is left to spend. */
function isMore(sum: Rational, whole: string | undefined, { measure, epsilon }: BudgetFile): boolean {
  if (whole === undefined || (measure === "zcdp" && epsilon !== undefined)) return false;
  return compare(sum, parseRational(whole)) > 0;
}
