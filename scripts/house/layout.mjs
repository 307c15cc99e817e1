/**
 * The imports that are allowed, as data. A folder or package that is not listed may import nothing, so a new room is a line here.
 */

/** Folders of packages/core/src. Files at the top of core/src wire the folders together and may import them all. */
export const coreFolders = {
  errors: [],
  units: ["errors"],
  numeric: ["errors", "units"],
  canonical: ["errors", "numeric"],
  entropy: ["errors", "units", "numeric"],
  samplers: ["errors", "units", "numeric", "entropy"],
  measures: ["errors", "units", "numeric"],
  exact: ["errors", "units", "numeric"],
  events: ["errors", "units", "numeric", "measures"],
  conversions: ["errors", "units", "numeric", "measures"],
  mechanisms: [
    "errors",
    "units",
    "numeric",
    "entropy",
    "samplers",
    "measures",
    "exact",
    "events",
    "conversions",
  ],
  pld: ["errors", "units", "numeric", "measures"],
  amplification: ["errors", "units", "numeric", "measures", "conversions", "pld"],
  carriers: ["errors", "units", "numeric", "measures", "conversions", "amplification", "pld"],
  accountants: [
    "errors",
    "units",
    "numeric",
    "measures",
    "events",
    "conversions",
    "amplification",
    "carriers",
  ],
  accuracy: ["errors", "units", "numeric", "measures", "events", "conversions", "mechanisms"],
};

/** Workspace packages (by folder) → the workspace packages (by folder) that their sources may import. */
export const packages = {
  "packages/core": [],
  "packages/query": ["packages/core"],
  "packages/ledger": ["packages/core"],
  "packages/engines/duckdb": ["packages/core", "packages/query"],
  "packages/engines/postgres": ["packages/core", "packages/query"],
  "packages/gateway": ["packages/core", "packages/query", "packages/ledger"],
  "packages/verify": ["packages/core", "packages/query"],
  "packages/audit": ["packages/core", "packages/query", "packages/ledger", "packages/gateway"],
  "apps/cli": [
    "packages/core",
    "packages/query",
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
  "packages/query": ["node:crypto", "node:worker_threads", "declared"],
  "packages/ledger": ["node:", "declared"],
  "packages/engines/duckdb": ["node:", "declared"],
  "packages/engines/postgres": ["declared"],
  "packages/gateway": ["node:crypto", "declared"],
  "packages/verify": ["node:crypto"],
  "packages/audit": ["node:worker_threads"],
  "apps/cli": ["node:", "declared"],
  testing: ["node:", "declared"],
};

/** Names that only a wiring app may import: the gateway knows engines and stores by their interfaces. */
export const concrete = /sqlite|duckdb|postgres/i;
