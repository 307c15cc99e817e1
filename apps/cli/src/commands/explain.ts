import type { AskOptions } from "@lethe/gateway";
import { renderJson } from "@lethe/serve/formats";
import { open } from "../open.ts";
import { type ParameterFlags, readParameters } from "../parameters.ts";
import { withQuestion } from "../question-text.ts";
import { releaseNamed } from "../release-named.ts";
import { renderExplanation } from "../render/explanation.ts";
import { exactWords } from "../render/layout/catalog.ts";
import { terminalWidth } from "../render/layout/terminal-width.ts";
import { wrapPage } from "../render/layout/wrap.ts";
import { say } from "../render/say.ts";

interface ExplainFlags extends Omit<AskOptions, "params" | "targetRelease">, ParameterFlags {
  readonly policy: string;
  readonly as: string;
  readonly format: "table" | "json";
  readonly targetRelease?: string;
}

/** lethe explain: free, touches no row. */
export async function explain(sql: string, flags: ExplainFlags): Promise<void> {
  const { policy, format, as, param, params, targetRelease, ...asked } = flags;
  const options = {
    ...asked,
    principal: as,
    ...releaseNamed(targetRelease),
    params: readParameters({ param, params }),
  };
  const lethe = await open(policy);
  try {
    const { params: values } = options;
    const tables = await withQuestion(sql, (text) => lethe.publicTables(text, values && { params: values }));
    if (tables) return say(format === "json" ? renderJson({ public_tables: tables }) : exactWords(tables));
    const explanation = await withQuestion(sql, (text) => lethe.explain(text, options));
    if (format === "json") return say(renderJson(explanation));
    say(wrapPage(renderExplanation(explanation), terminalWidth()));
  } finally {
    await lethe.close();
  }
}
