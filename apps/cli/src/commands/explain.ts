import { type AskOptions, open } from "../open.ts";
import { withQuestion } from "../question-text.ts";
import { renderExplanation } from "../render/explanation.ts";
import { renderJson } from "../render/json.ts";
import { say } from "../render/say.ts";

interface ExplainFlags extends AskOptions {
  readonly policy: string;
  readonly format: "table" | "json";
}

/** lethe explain: free, touches no row. */
export async function explain(sql: string, flags: ExplainFlags): Promise<void> {
  const { policy, format, ...options } = flags;
  const lethe = await open(policy);
  try {
    const explanation = await withQuestion(sql, (text) => lethe.explain(text, options));
    say(format === "json" ? renderJson(explanation) : renderExplanation(explanation));
  } finally {
    await lethe.close();
  }
}
