import { LetheError } from "@lethe/core";
import { openTableSession } from "@lethe/core/mechanisms";
import {
  type AskedOptions,
  type House,
  type Procedure,
  type ProcedureRelease,
  runProcedure,
} from "@lethe/gateway";
import {
  type ReleasedSynthesis,
  releasedSynthesis,
  sessionSource,
  sizesOf,
  synthesize,
} from "@lethe/learn/synthesis";
import type { Policy } from "@lethe/query";
import { databaseTables } from "./database-tables.ts";
import { expectedTime, timeInWords } from "./expected-time.ts";
import {
  explainTable,
  noiseShare,
  type PlannedTable,
  planTable,
  type SynthesisExplanation,
} from "./plan-table.ts";

/** What a synthesis measured, with the certificate of its one charge: all that its rows follow from. */
export type SynthesisRelease = ProcedureRelease<ReleasedSynthesis>;

/** Names the form of the plan. */
export const synthesisKind = "synthesis";

/** Who asks, under which id, at which price. */
export interface SynthesisRequest {
  readonly principal: string;
  readonly requestId: string;
  readonly options: AskedOptions;
}

/** Returns price, noise, size and time of a synthetic table: free, and touches no row. Errors: model.*, query.*. */
export async function explainSynthesis(
  text: string,
  { options }: Pick<SynthesisRequest, "options">,
  policy: Policy,
): Promise<SynthesisExplanation> {
  return explainTable(await planTable(text, options, policy), policy);
}

/**
 * Pays once for a synthetic table, counts its tables in the database, and releases them with noise. Whatever can be refused is refused before the charge;
 * asked again under one id, it is the same bytes for nothing. Errors: model.*, query.*, ledger.*, engine.*.
 */
export async function synthesizeTable(
  text: string,
  request: SynthesisRequest,
  house: House,
): Promise<SynthesisRelease> {
  const { principal, requestId, options } = request;
  const planned = await planTable(text, options, house.policy);
  if ((await house.ledger.settled(requestId, principal)) === null) tellBeforeCharge(planned, options, house);
  return runProcedure(
    procedureOf(planned, house),
    { principal, requestId, project: options.project, price: planned.price },
    house,
  );
}

/** Tells the time, and refuses a table of noise, from plan and policy alone. Errors: query.uninformative. */
function tellBeforeCharge(
  planned: PlannedTable,
  { acceptUninformative }: AskedOptions,
  { notice }: Pick<House, "notice">,
): void {
  const { plan, expectedRows } = planned;
  const share = noiseShare(plan, expectedRows);
  if (share !== null && share >= 0.5 && acceptUninformative !== true)
    throw new LetheError(
      "query.uninformative",
      `of about ${expectedRows} rows, the counts of single columns would be ${Math.round(100 * share)} % noise`,
      {
        fix: "raise the price, or take fewer columns or bins; to pay all the same: --yes, or acceptUninformative: true",
      },
    );
  const megabytes = Number((plan.modelBytes / 1e6).toPrecision(3));
  notice?.(
    `the model takes at most ${megabytes} MB; to measure, fit and draw takes ${timeInWords(expectedTime(planned))}`,
  );
}

function procedureOf(planned: PlannedTable, { engine, entropy }: House): Procedure<ReleasedSynthesis> {
  const { plan } = planned;
  const tables = databaseTables(planned, engine);
  return {
    kind: synthesisKind,
    title: `synthetic table by ${plan.method} of ${plan.domain.length} columns of ${plan.source}`,
    plan,
    tables: planned.tables,
    prepare: tables.prepare,
    async run() {
      const session = openTableSession(plan.session, entropy);
      const source = sessionSource(session, tables.exact, sizesOf(plan.domain));
      return releasedSynthesis(await synthesize(plan, source));
    },
  };
}
