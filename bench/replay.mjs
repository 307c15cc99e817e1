// replay.pairs: pairs of a random policy of one to four private tables of mixed units, and of tables that differ in one unit,
// wherever that one lives, whose exact measurements were compared with the derived sensitivities, as our reference evaluates the plans;
// replay.pairs.duckdb: of these, as DuckDB runs the compiled SQL; replay.whole.duckdb, replay.whole.postgres: pairs whose answers went the
// whole way, from text to signed bytes and the ledger's records, with every draw frozen. replay.findings: measurements that moved
// farther than derived, and differences beside the noise (target 0). replay.caught: questions for which a planner that looks at one
// private table alone is refuted by the same pairs. Options: --pairs N (20,000), --on-engine N (1,000), --whole N (300), --postgres N
// (200), --seed N.
import { figure } from "./figure.mjs";
import { reportOf } from "./report-of.mjs";

const form = "several private tables";

export default async function bench(options) {
  const number = (name, otherwise) => {
    const at = options.indexOf(name);
    return at < 0 ? otherwise : Number(options[at + 1]);
  };
  const seed = number("--seed", 1);
  const told = [
    ...reportOf("testing/src/policies/pairs.test.ts", "", {
      POLICY_PAIRS: number("--pairs", 20_000),
      POLICY_PAIRS_ON_ENGINE: number("--on-engine", 1_000),
      POLICY_PAIRS_SEED: seed,
    }),
    ...reportOf("testing/src/neighbours.test.ts", form, {
      NEIGHBOURS_POLICIES: number("--whole", 300),
      NEIGHBOURS_SEED: seed,
    }),
    ...reportOf("testing/src/postgres/neighbours.test.ts", form, {
      NEIGHBOURS_POLICIES: number("--postgres", 200),
      NEIGHBOURS_SEED: seed + number("--whole", 300),
    }),
  ];
  const of = (what) => told.find((each) => each.what === what) ?? { pairs: 0, findings: 0 };
  const [pairs, onEngine] = [of("pairs"), of("pairs on DuckDB")];
  const [duckdb, postgres] = [of(`${form} on DuckDB`), of(`${form} on PostgreSQL`)];
  figure("replay.pairs", pairs.pairs, `pairs, ${pairs.questions} questions, ${pairs.refused} refused`);
  figure("replay.pairs.duckdb", onEngine.pairs, `pairs, ${onEngine.plans} plans`);
  figure("replay.whole.duckdb", duckdb.pairs, `pairs, ${duckdb.answered} of ${duckdb.requests} answered`);
  figure(
    "replay.whole.postgres",
    postgres.pairs,
    `pairs, ${postgres.answered} of ${postgres.requests} answered`,
  );
  figure(
    "replay.findings",
    [pairs, onEngine, duckdb, postgres].reduce((sum, { findings }) => sum + findings, 0),
    "findings",
    0,
    null,
  );
  figure("replay.caught", pairs.aloneRefuted, "questions");
}
