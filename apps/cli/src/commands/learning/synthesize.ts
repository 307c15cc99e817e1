import { LetheError } from "@lethe/core";
import { renderJson } from "@lethe/serve/formats";
import { writeCardOf } from "../../card/write-card-of.ts";
import { type Lethe, open } from "../../open.ts";
import { removedAtEnd } from "../../removed-at-end.ts";
import { say } from "../../render/say.ts";
import { renderSynthesis, renderSynthesisExplanation } from "../../render/synthesis.ts";
import { synthesisPage } from "../../report/synthesis-page.ts";
import { readSynthesisRelease } from "../../synthesize/synthesis-file.ts";
import type { SynthesisRelease } from "../../synthesize/synthesize-table.ts";
import { checkedRows, syntheticTable } from "../../synthesize/synthetic-table.ts";
import { tableFormat, writeTable } from "../../synthesize/write-table.ts";
import { readText } from "../../workspace.ts";
import { unlessPointless, warn } from "../ask-before-paying.ts";
import { notWritten, refuseTarget, writeNew } from "../new-file.ts";

interface SynthesizeFlags {
  readonly policy: string;
  readonly format: "table" | "json";
  readonly out?: string;
  readonly rows?: string;
  readonly report?: string;
  readonly card?: string;
  readonly release?: string;
  readonly from?: string;
  readonly as: string;
  readonly project?: string;
  readonly request?: string;
  readonly headFile?: string;
  readonly epsilon?: string;
  readonly delta?: string;
  readonly explain?: true;
  readonly yes?: true;
}

/** lethe synthesize: pays once for noisy tables, and draws rows from them; with --from it draws again for nothing. */
export async function synthesize(path: string | undefined, flags: SynthesizeFlags): Promise<void> {
  const { out, rows, report, release: kept, card, from, explain } = flags;
  demandOneSource(path, flags);
  if (explain === true && (out ?? rows ?? report ?? kept ?? card) !== undefined)
    throw usage(
      "--explain tells a price and draws nothing: there is nothing to write",
      "leave --explain out",
    );
  if (rows !== undefined && out === undefined)
    throw usage("--rows draws rows, and --out says where to", "write --out synthetic.csv beside --rows");
  const count = rows === undefined ? undefined : checkedRows(Number(rows));
  const targets = { "the synthetic table": out, "the report": report, "the release": kept, "the card": card };
  for (const [what, target] of Object.entries(targets)) if (target !== undefined) refuseTarget(target, what);
  if (out !== undefined) tableFormat(out);
  if (from !== undefined) {
    await write(readSynthesisRelease(readText(from, "the release")), flags, count);
    return;
  }
  const text = readText(path ?? "", "the description");
  const lethe = await open(flags.policy, { headFile: flags.headFile, removedAtEnd });
  try {
    if (explain === true) {
      const explanation = await lethe.explainSynthesis(text, priced(flags));
      say(flags.format === "json" ? renderJson(explanation) : renderSynthesisExplanation(explanation));
      return;
    }
    await write(await paidFor(lethe, text, flags), flags, count);
  } finally {
    await lethe.close();
  }
}

/** Errors: cli.usage unless there is a description, or a release alone. */
function demandOneSource(path: string | undefined, flags: SynthesizeFlags): void {
  const { from, explain, epsilon, delta, request } = flags;
  if (from === undefined) {
    if (path !== undefined) return;
    throw usage(
      "a description is needed",
      "name one, as in lethe synthesize table.yaml, or --from a release",
    );
  }
  const paying = { explain, epsilon, delta, request };
  const stated = Object.entries(paying).find(([, value]) => value !== undefined);
  if (path !== undefined)
    throw usage("--from draws from a release, and reads no description", "leave one out");
  if (stated) throw usage("--from draws from a release, and pays nothing", `leave --${stated[0]} out`);
}

function priced({ epsilon, delta }: SynthesizeFlags): { readonly epsilon?: string; readonly delta?: string } {
  return { ...(epsilon === undefined ? {} : { epsilon }), ...(delta === undefined ? {} : { delta }) };
}

function paidFor(lethe: Lethe, text: string, flags: SynthesizeFlags): Promise<SynthesisRelease> {
  const { as, project, request, yes } = flags;
  return unlessPointless(yes === true, (acceptUninformative) =>
    lethe.synthesize(text, {
      ...priced(flags),
      ...{ principal: as, acceptUninformative, notice: warn },
      ...(project === undefined ? {} : { project }),
      ...(request === undefined ? {} : { requestId: request }),
    }),
  );
}

/** Draws what is asked for, writes it, and prints the errors. */
async function write(
  release: SynthesisRelease,
  { out, report: page, release: kept, card, format, policy }: SynthesizeFlags,
  count: number | undefined,
): Promise<void> {
  const { requestId } = release.certificate;
  // First what was paid for: all else follows from it.
  if (kept !== undefined) writeNew(kept, `${renderJson(release)}\n`, "the release", requestId);
  const table = syntheticTable(release);
  const drawn = out === undefined ? null : { path: out, rows: count ?? table.rowCount };
  if (drawn) {
    try {
      await writeTable(drawn.path, table, drawn.rows);
    } catch (error) {
      if (error instanceof LetheError) throw error;
      throw notWritten(drawn.path, "the synthetic table", requestId, error);
    }
  }
  if (page !== undefined) writeNew(page, synthesisPage(release, table), "the report", requestId);
  if (card !== undefined) await writeCardOf(release, card, policy);
  if (format === "json") say(renderJson({ report: table.report, release }));
  else say(renderSynthesis(release, table, drawn));
}

function usage(message: string, fix: string): LetheError {
  return new LetheError("cli.usage", message, { fix });
}
