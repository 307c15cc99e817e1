import { existsSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { LetheError } from "@lethe/core";
import type { Explanation } from "@lethe/query";
import { open } from "../open.ts";
import { type ParameterFlags, readParameters } from "../parameters.ts";
import { withQuestion } from "../question-text.ts";
import { renderExplanation } from "../render/explanation.ts";
import { renderJson } from "../render/json.ts";
import { printableLines } from "../render/printable.ts";
import { type ReleaseFormat, renderRelease } from "../render/release.ts";
import { say } from "../render/say.ts";
import { fileError } from "../workspace.ts";

interface QueryFlags extends ParameterFlags {
  readonly policy: string;
  readonly format: ReleaseFormat;
  readonly out?: string;
  readonly as: string;
  readonly request?: string;
  readonly confidence: string;
  readonly epsilon?: string;
  readonly delta?: string;
  readonly targetError?: string;
  readonly targetErrorRelative?: string;
  readonly targetRows?: string;
  readonly keys?: "public" | "private";
  readonly mechanism?: "laplace" | "gaussian";
}

/** lethe query: pays, prints the release, and writes it where asked. EXPLAIN PRIVACY prints the plan, for nothing. */
export async function query(sql: string, flags: QueryFlags): Promise<void> {
  const { policy, format, out, as, request, param, params, ...asked } = flags;
  const options = {
    ...asked,
    params: readParameters({ param, params }),
  };
  if (out !== undefined) refuseTarget(out);
  const lethe = await open(policy);
  try {
    const answer = await withQuestion(sql, (text) =>
      lethe.ask(text, {
        ...options,
        principal: as,
        ...(request === undefined ? {} : { requestId: request }),
      }),
    );
    if (answer.kind === "explanation") {
      printExplanation(answer.explanation, format, out);
      return;
    }
    const { release } = answer;
    print(renderRelease[format](release), format);
    if (out !== undefined) writeRelease(out, renderJson(release), release.certificate.requestId);
  } finally {
    await lethe.close();
  }
}

/** EXPLAIN PRIVACY: nothing was asked of the data, and there is no release to write. */
function printExplanation(explanation: Explanation, format: ReleaseFormat, out: string | undefined): void {
  if (format === "csv" || out !== undefined)
    throw new LetheError(
      "cli.usage",
      `EXPLAIN PRIVACY gives a plan and no release: ${out === undefined ? "--format csv" : "--out"} has nothing to write`,
      { fix: "leave it out, or write --format json" },
    );
  say(format === "json" ? renderJson(explanation) : renderExplanation(explanation));
}

/** A CSV's keys go into a file as they are, and onto a terminal only where they cannot steer it. */
function print(text: string, format: ReleaseFormat): void {
  console.log(format === "csv" && !process.stdout.isTTY ? text : printableLines(text));
}

/** What would fail after paying is refused before. */
function refuseTarget(path: string): void {
  const refuse = (problem: string, fix: string): never => {
    throw new LetheError("cli.file", `cannot write the release to ${path || '""'}: ${problem}`, {
      fix: `${fix}; nothing was charged`,
      fields: { path },
    });
  };
  if (path === "") refuse("it is no file name", "name a file");
  if (existsSync(path)) refuse("it exists, and nothing is overwritten", "name another file");
  if (!existsSync(dirname(path)))
    refuse("its folder does not exist", "make the folder, or name another file");
}

function writeRelease(path: string, json: string, requestId: string): void {
  try {
    writeFileSync(path, `${json}\n`, { flag: "wx" });
  } catch (error) {
    const { code, message, fix, fields } = fileError("write", path, "the release", error);
    // The answer is durable in the ledger: asking again under the same id costs nothing.
    throw new LetheError(code, message, {
      fix: `${fix}; then ask the same again with --request ${requestId}: it costs nothing`,
      fields,
    });
  }
}
