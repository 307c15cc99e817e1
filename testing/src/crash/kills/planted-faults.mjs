const sources = "packages/ledger/src";

/** Ledgers that break a promise, as texts of the sources that are replaced: the judge must find each. */
export const plantedFaults = {
  "acknowledges-before-commit": [
    {
      file: `${sources}/stores/postgres/writer.ts`,
      from: "if (await this.#isCommitted(view)) return outcomes;",
      to: "tellAll(outcomes); if (await this.#isCommitted(view)) return outcomes;",
    },
  ],
  // Durable only a moment later: the server forgets it when it dies meanwhile.
  "commits-without-flush": [
    {
      file: `${sources}/stores/postgres/check-server.ts`,
      from: "SET LOCAL synchronous_commit = on",
      to: "SET LOCAL synchronous_commit = off",
    },
  ],
  // The tables would refuse it: their index and the check of the tables are gone too.
  "settles-twice": [
    {
      file: `${sources}/decisions/settle.ts`,
      from: "if (settled !== null) return { append: null, result: settled };",
      to: "",
    },
    {
      file: `${sources}/records/history.ts`,
      from: 'if (settled) throw corrupt("an outcome of a request that was settled before");',
      to: "",
    },
    {
      file: `${sources}/stores/postgres/schema.ts`,
      from: "CREATE UNIQUE INDEX one_settle",
      to: "CREATE INDEX one_settle",
    },
    {
      file: `${sources}/stores/postgres/check-schema.ts`,
      from: "=== schemaHash) return;",
      to: '!== "") return;',
    },
  ],
  "forgets-unfinished-reservations": [
    {
      file: `${sources}/records/advance.ts`,
      from: "return counted(over(books, posting), principal, { failures: 0, open: 1 }, posting.scopes);",
      to: "void posting; return counted(books, principal, { failures: 0, open: 1 });",
    },
    {
      file: `${sources}/records/advance.ts`,
      from: "return counted(now, principal, { failures: 0, open: history.failures === 0 ? -1 : 0 });",
      to: `const late = charged(now, history.reserve!, lossOf(now, history.reserve!.loss));
      const change = { failures: 0, open: history.failures === 0 ? -1 : 0 };
      return "account" in late ? counted(over(now, late), principal, change, late.scopes) : counted(now, principal, change);`,
    },
  ],
};
