import type { AskedOptionsText, Question, Schedule } from "@lethe/gateway";

/** What the door gives a worker to do, as JSON. */
export type AskJob =
  | {
      readonly kind: "ask";
      readonly question: QuestionText;
      readonly declared: Readonly<Record<string, string>>;
      /** The release schedule that the door keeps; null where it keeps none. */
      readonly schedule: Schedule | null;
    }
  | {
      readonly kind: "explain";
      readonly question: QuestionText;
      readonly declared: Readonly<Record<string, string>>;
    }
  | { readonly kind: "describe"; readonly text: string };

/** A question as JSON. */
export type QuestionText = Omit<Question, "options"> & { readonly options: AskedOptionsText };
