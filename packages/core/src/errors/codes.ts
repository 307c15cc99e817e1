/** Every error code of Lethe with its one-line meaning. docs/reference/errors.md documents each; a test compares the two. */
const codes = {
  "parameter.invalid": "a parameter lies outside its domain",
  "internal.invariant": "Lethe found one of its own invariants broken and stopped",
  "mechanism.spent": "a mechanism paid for at its opening has given every answer that was paid for",
  "policy.unreadable": "the policy file is missing or is not YAML",
  "policy.invalid": "the policy does not follow the schema",
  "policy.roles": "the policy reads one source in two roles",
  "policy.changed": "the policy changed in a way that the ledger or the snapshot does not follow",
  "model.unreadable": "the model file is missing or is not YAML",
  "model.invalid": "the model does not follow the schema, or not the policy",
  "query.syntax": "the text is not SQL that the grammar accepts",
  "query.too-large": "the text is longer or deeper than a question may be",
  "query.public":
    "the text reads public tables alone: it is answered exactly, and there is nothing to pay for",
  "query.unsupported": "valid SQL, but not something Lethe can answer privately",
  "query.unknown-table": "no such table in the policy",
  "query.unknown-column": "no such column in the policy",
  "query.unknown-function": "no such function, or not one that is total on every row",
  "query.type": "an expression has the wrong type",
  "query.impossible": "no row can meet a condition, by what the policy declares",
  "query.uninformative": "the answer would say next to nothing, and this was not accepted",
  "query.missing-bounds": "an aggregate needs bounds that the policy does not state",
  "query.missing-delta": "the question needs a δ and the account or the options give none",
  "query.option": "an option is unknown, or its value lies outside its domain",
  "query.parameter": "a parameter has no value, or a value has no parameter",
  "account.unprovable": "no theorem bounds the loss of this event in the representations that were asked for",
  "account.budget": "what is left of a filter's budget does not cover the next loss",
  "engine.failed": "the database could not answer; details are in the owner's log",
  "engine.source": "a data file is missing, unreadable or not of the declared kind",
  "engine.schema": "the database's schema does not match the policy",
  "engine.untrusted":
    "the database computes what is read of a relation, and the policy does not vouch for that",
  "engine.not-imported": "a source must be imported before it can be asked",
  "ledger.missing": "there is no ledger; only init creates one",
  "ledger.exists": "there is a ledger already; init never replaces one",
  "ledger.unreadable": "the ledger file cannot be read or is not a ledger",
  "ledger.busy": "another process holds the ledger's lock for too long",
  "ledger.corrupt": "the ledger's hash chain or its arithmetic does not hold",
  "ledger.restored": "the ledger does not hold a head that was kept elsewhere",
  "ledger.budget": "the budget does not cover the charge",
  "ledger.request": "the request id belongs to another question",
  "ledger.principal": "the analyst is not known to the policy",
  "ledger.failures": "too many failed executions on this account",
  "release.invalid": "the release or its certificate does not verify",
  "audit.finding": "an audit found something wrong",
  "cli.usage": "the command line is not understood",
  "cli.file": "a file could not be read or written",
} as const;

export type ErrorCode = keyof typeof codes;

/** Code → meaning. */
export const errorCodes: Readonly<Record<ErrorCode, string>> = codes;
