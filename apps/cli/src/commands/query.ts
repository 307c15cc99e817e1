import { LetheError } from "@lethe/core";
import type { PublicAnswer, Release } from "@lethe/gateway";
import type { CatalogAnswer } from "@lethe/query";
import { asDrawn, csvField, renderJson } from "@lethe/serve/formats";
import { copiesRead } from "../copies/copies-read.ts";
import { type Explained, open } from "../open.ts";
import { type ParameterFlags, readParameters } from "../parameters.ts";
import { drawInto } from "../plot/plot-file.ts";
import { withQuestion } from "../question-text.ts";
import { releaseNamed } from "../release-named.ts";
import { removedAtEnd } from "../removed-at-end.ts";
import { renderExplanation } from "../render/explanation.ts";
import { catalogObjects, exactWords, renderCatalog } from "../render/layout/catalog.ts";
import { printableLines } from "../render/printable.ts";
import { type ReleaseFormat, renderCharge, renderRelease, renderRepeat } from "../render/release.ts";
import { say } from "../render/say.ts";
import { namesOf, renderMade, renderMaking } from "../repeats/render-made.ts";
import { unlessPointless, warn } from "./ask-before-paying.ts";
import { refuseTarget, writeNew } from "./new-file.ts";

interface QueryFlags extends ParameterFlags {
  readonly policy: string;
  readonly format: ReleaseFormat;
  readonly out?: string;
  readonly plot?: string;
  readonly as: string;
  readonly project?: string;
  readonly request?: string;
  readonly fresh?: true;
  readonly made?: true;
  readonly headFile?: string;
  readonly confidence: string;
  readonly epsilon?: string;
  readonly delta?: string;
  readonly today?: string;
  readonly targetError?: string;
  readonly targetErrorRelative?: string;
  readonly targetRelease?: string;
  readonly pilotEpsilon?: string;
  readonly maxEpsilon?: string;
  readonly targetRows?: string;
  readonly advantage?: string;
  readonly keys?: "public" | "private";
  readonly mechanism?: "laplace" | "gaussian";
  readonly yes?: true;
  readonly verbose?: true;
}

/** lethe query: pays, prints the release, and writes it where asked. EXPLAIN PRIVACY prints the plan, for nothing. */
export async function query(sql: string, flags: QueryFlags): Promise<void> {
  const {
    policy,
    format,
    out,
    plot,
    as,
    request,
    param,
    params,
    targetRelease,
    headFile,
    fresh,
    made,
    yes,
    verbose,
    ...asked
  } = flags;
  const options = {
    ...asked,
    ...releaseNamed(targetRelease),
    params: readParameters({ param, params }),
  };
  if (out !== undefined) refuseTarget(out, "the release");
  if (plot !== undefined) refuseTarget(plot, "the plot");
  const draw = plot === undefined ? null : drawInto(plot);
  const lethe = await open(policy, { headFile, removedAtEnd });
  try {
    const answer = await withQuestion(sql, (text) =>
      unlessPointless(yes === true, (acceptUninformative) =>
        lethe.ask(text, {
          ...options,
          principal: as,
          acceptUninformative,
          notice: warn,
          fresh: fresh === true,
          made: made === true,
          ...(request === undefined ? {} : { requestId: request }),
        }),
      ),
    );
    if (answer.kind === "explanation") {
      printExplanation(answer.explanation, { format, out, plot });
      return;
    }
    if (answer.kind === "catalog") {
      printCatalog(answer.catalog, { format, out, plot });
      return;
    }
    if (answer.kind === "public") {
      printCatalog(answer.answer, { format, out, plot });
      console.error(printableLines(exactWords(answer.answer.tables)));
      return;
    }
    if (answer.kind === "made") {
      const { made } = answer;
      print(renderMade[format](made, { verbose: verbose === true }), format);
      if (format === "csv") console.error(printableLines(renderMaking(made).join("\n")));
      const names = namesOf(made);
      if (out !== undefined) writeNew(out, `${renderJson(made)}\n`, "the answer with its releases", names);
      if (plot !== undefined && draw !== null) writeNew(plot, await draw(asDrawn(made)), "the plot", names);
      return;
    }
    const { release, repeat } = answer;
    const copies = repeat === null ? await copiesRead(policy) : null;
    if (copies !== null) console.error(printableLines(copies));
    print(renderRelease[format](release, { verbose: verbose === true, repeat }), format);
    // A CSV has no place for it: the price goes beside the answer.
    if (format === "csv") {
      const { certificate } = release;
      const told = repeat ? renderRepeat(certificate, repeat) : renderCharge(certificate);
      console.error(printableLines(told.slice(0, 2).join("\n")));
    }
    const { requestId } = release.certificate;
    if (out !== undefined) writeNew(out, `${renderJson(release)}\n`, "the release", requestId);
    if (plot !== undefined && draw !== null)
      writeNew(plot, await draw(await asToday(release)), "the plot", requestId);
  } finally {
    await lethe.close();
  }
}

/** The policy's own words, or rows of public tables: nothing was paid for, and there is no release to write. */
function printCatalog(
  catalog: CatalogAnswer | PublicAnswer,
  { format, out, plot }: { format: ReleaseFormat; out: string | undefined; plot: string | undefined },
): void {
  if (out !== undefined || plot !== undefined)
    throw new LetheError(
      "cli.usage",
      `nothing is paid for this answer, and there is no release for ${out === undefined ? "--plot" : "--out"}`,
      { fix: "leave it out" },
    );
  const lines = [catalog.columns.map(({ name }) => name), ...catalog.rows];
  const texts: Readonly<Record<ReleaseFormat, () => string>> = {
    table: () => renderCatalog(catalog),
    json: () => renderJson(catalogObjects(catalog)),
    csv: () => lines.map((line) => line.map(csvField).join(",")).join("\n"),
  };
  print(texts[format](), format);
}

/** EXPLAIN PRIVACY: nothing was asked of the data, and there is no release to write. */
function printExplanation(
  explanation: Explained,
  { format, out, plot }: { format: ReleaseFormat; out: string | undefined; plot: string | undefined },
): void {
  const asked = out !== undefined ? "--out" : plot !== undefined ? "--plot" : "--format csv";
  if (format === "csv" || out !== undefined || plot !== undefined)
    throw new LetheError(
      "cli.usage",
      `EXPLAIN PRIVACY gives a plan and no release: ${asked} has nothing to write`,
      { fix: "leave it out, or write --format json" },
    );
  say(format === "json" ? renderJson(explanation) : renderExplanation(explanation));
}

/** A CSV's keys go into a file as they are, and onto a terminal only where they cannot steer it. */
function print(text: string, format: ReleaseFormat): void {
  console.log(format === "csv" && !process.stdout.isTTY ? text : printableLines(text));
}

/** Returns a release whose plan has today's form: an answer of long ago may be asked for again. */
async function asToday(release: Release): Promise<Release> {
  const { readRelease } = await import("@lethe/verify");
  return readRelease(JSON.stringify(release)).release;
}
