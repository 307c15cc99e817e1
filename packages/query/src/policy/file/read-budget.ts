import { parseRational, type Rational } from "@lethe/core";
import { zero } from "@lethe/core/numeric";
import type { BudgetPolicy, ScopePolicy } from "../policy.ts";
import type { BudgetFile, ScopeFile, WindowFile } from "./policy-file.ts";

const rational = (source: string | undefined): Rational | null =>
  source === undefined ? null : parseRational(source);

/** Returns the budget that a checked file states. What is not stated leaves no trace. */
export function readBudget(file: BudgetFile): BudgetPolicy {
  const { projects, datasets, windows, lifetime } = file;
  const scopes = (map: BudgetFile["analysts"]): BudgetPolicy["analysts"] =>
    mapped(map ?? {}, (caps) => (typeof caps === "string" ? parseRational(caps) : readScope(file, caps)));
  return {
    measure: file.measure,
    epsilon: rational(file.epsilon),
    delta: rational(file.delta) ?? zero,
    rho: rational(file.rho),
    headFile: file.head_file ?? null,
    analysts: scopes(file.analysts),
    ...(projects && {
      projects: mapped(projects, ({ analysts, ...caps }) => ({
        ...readScope(file, caps),
        ...(analysts && {
          analysts: mapped(scopes(analysts), (own) => ("num" in own ? { main: own } : own)),
        }),
      })),
    }),
    ...(datasets && {
      dataSets: mapped(datasets, ({ tables, ...caps }) => ({ ...readScope(file, caps), tables })),
    }),
    ...(windows && { windows: windows.map((window) => readWindow(file, window)) }),
    ...(lifetime && { lifetime }),
    ...(file.show_account === undefined ? {} : { showAccount: file.show_account }),
    ...(file.closed === undefined ? {} : { closed: file.closed }),
  };
}

function readScope(budget: BudgetFile, caps: ScopeFile): ScopePolicy {
  const { delta, reserved, windows } = caps;
  return {
    main: rational(caps.rho ?? caps.epsilon),
    ...(delta === undefined ? {} : { delta: parseRational(delta) }),
    ...(reserved === undefined ? {} : { reserved }),
    ...(windows && { windows: windows.map((window) => readWindow(budget, window)) }),
  };
}

function readWindow(
  { measure }: BudgetFile,
  window: WindowFile,
): NonNullable<ScopePolicy["windows"]>[number] {
  const main = measure === "zcdp" ? window.rho : window.epsilon;
  return { per: window.per, main: parseRational(main ?? "0"), delta: rational(window.delta) };
}

function mapped<From, To>(map: Readonly<Record<string, From>>, to: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, to(value)]));
}
