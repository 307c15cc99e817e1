/** A question of the corpus, under a policy of {@link ../golden-questions.ts}, at ε = 1. */
export interface CorpusQuestion {
  readonly policy: CorpusPolicy;
  readonly text: string;
}

export type CorpusPolicy =
  | "rows"
  | "rows-replaced"
  | "units"
  | "units-replaced"
  | "zcdp"
  | "shop"
  | "shop-replaced"
  | "times";

/** The questions of a topic: text by text, under one policy. */
export function asked(policy: CorpusPolicy, texts: readonly string[]): readonly CorpusQuestion[] {
  return texts.map((text) => ({ policy, text }));
}
