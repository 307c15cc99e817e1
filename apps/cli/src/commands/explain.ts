import { type AskOptions, open } from "../open.ts";
import { askedText } from "../question-text.ts";
import { renderExplanation } from "../render/explanation.ts";

interface ExplainFlags extends AskOptions {
  readonly policy: string;
  readonly format: "table" | "json";
}

/** lethe explain: free, touches no row. */
export async function explain(sql: string, flags: ExplainFlags): Promise<void> {
  const { policy, format, ...options } = flags;
  const lethe = await open(policy);
  try {
    const explanation = await lethe.explain(askedText(sql), options);
    console.log(format === "json" ? JSON.stringify(explanation, null, 2) : renderExplanation(explanation));
  } finally {
    await lethe.close();
  }
}
