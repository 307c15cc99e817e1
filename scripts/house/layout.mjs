/**
 * The imports that are allowed, as data. A folder or package that is not listed may import nothing, so a new room is a line here.
 */

/**
 * Rooms of packages/core/src that no import joins, in either direction, whatever their floors: a mechanism declares every loss that it
 * can prove, and an accountant folds events through a registry that it is given; intervals are told by the noise alone.
 */
export const coreStrangers = {
  those: ["entropy", "samplers", "exact", "mechanisms", "accuracy"],
  others: ["amplification", "losses/pld", "losses/registry", "accountants"],
  /** Rooms inside the others that both sides may use. */
  except: ["losses/pld/pairs"],
};

/**
 * The rooms of a package from the ground up: a file imports its own room and those listed before it. A folder belongs to the
 * longest path listed that leads to it; its index.ts may show what lies inside it. Files at the top of the package wire the rooms together and may import them all.
 */
export const floors = {
  "packages/core": [
    "errors",
    "units",
    "numeric/elements",
    "numeric/special",
    "numeric/fft",
    "numeric",
    "canonical",
    "losses/measures",
    "losses/renyi/curves",
    "losses/pld/pairs",
    "events",
    "conversions/search",
    "conversions/composition",
    "conversions",
    "conversions/gaussian",
    "losses/pld/law",
    "losses/pld/tilt",
    "losses/pld/transform",
    "losses/pld/search",
    "losses/pld/curves",
    "amplification",
    "losses",
    "losses/pure",
    "losses/approximate",
    "losses/gaussian",
    "losses/zcdp",
    "losses/renyi",
    "losses/pld",
    "losses/registry",
    "accountants/adaptive",
    "accountants",
    "accountants/calibrate",
    "entropy",
    "samplers",
    "exact",
    "mechanisms",
    "accuracy/laws",
    "accuracy/intervals",
    "accuracy/quantile-tree",
    "accuracy/calculators",
    "accuracy",
    "calibrated",
  ],
  "packages/query": [
    "refusals",
    "expressions/calendar",
    "expressions",
    "expressions/operators",
    "expressions/possible",
    "expressions/build",
    "parse",
    "policy",
    "policy/file",
    "policy/lint",
    "policy/draft",
    "policy/draft/catalog",
    "grid",
    "relations",
    "relations/joined-rows",
    "sql",
    "aggregates",
    "resolve/names",
    "resolve/expressions",
    "resolve/aggregates",
    "resolve/from/tables",
    "resolve/per-unit",
    "resolve/from",
    "resolve/post",
    "resolve/question",
    "resolve",
    "plan",
    "plan/learned-bounds",
    "plan/passes",
    "plan/checks",
    "plan/question",
    "plan/expected-error",
    "plan/error-target",
    "explain",
    "explain/alternatives",
    "dialects",
    "dialects/duckdb",
    "dialects/postgres",
    "compile/stored",
    "compile/relations",
    "compile/physical",
    "compile/contributions",
    "compile/values",
    "compile",
  ],
  "packages/learn": [
    "sql",
    "model",
    "statistics",
    "linear",
    "moments",
    "models",
    "training",
    "clipping",
    "boosting",
    "clusters",
  ],
};

/** The most source files in one folder, tests aside. */
export const mostFiles = 20;

/** Workspace packages (by folder) → the workspace packages (by folder) that their sources may import. */
export const packages = {
  "packages/core": [],
  "packages/query": ["packages/core"],
  "packages/learn": ["packages/core", "packages/query"],
  "packages/ledger": ["packages/core"],
  "packages/engines/duckdb": ["packages/core", "packages/query"],
  "packages/engines/postgres": ["packages/core", "packages/query"],
  "packages/gateway": ["packages/core", "packages/query", "packages/ledger"],
  "packages/verify": ["packages/core", "packages/query"],
  "packages/audit": ["packages/core", "packages/query", "packages/ledger", "packages/gateway"],
  "apps/cli": [
    "packages/core",
    "packages/query",
    "packages/learn",
    "packages/ledger",
    "packages/engines/duckdb",
    "packages/engines/postgres",
    "packages/gateway",
    "packages/verify",
    "packages/audit",
  ],
  testing: [
    "packages/core",
    "packages/query",
    "packages/learn",
    "packages/ledger",
    "packages/engines/duckdb",
    "packages/engines/postgres",
    "packages/gateway",
    "packages/verify",
    "packages/audit",
  ],
};

/** Modules from outside the workspace: "node:" means all of Node; "declared" what package.json lists. */
export const outside = {
  "packages/core": [],
  "packages/query": ["declared"],
  "packages/learn": ["declared"],
  "packages/ledger": ["node:", "declared"],
  "packages/engines/duckdb": ["node:", "declared"],
  "packages/engines/postgres": ["declared"],
  "packages/gateway": ["declared"],
  "packages/verify": [],
  "packages/audit": ["node:worker_threads"],
  "apps/cli": ["node:", "declared"],
  testing: ["node:", "declared"],
};

/** Names that only a wiring app may import: the gateway knows engines and stores by their interfaces. */
export const concrete = /sqlite|duckdb|postgres/i;
