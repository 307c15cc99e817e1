import { writeFileSync } from "node:fs";
import { type Event, LetheError } from "@lethe/core";
import { renderJson } from "@lethe/serve/formats";
import type { Figure } from "../plot/figure.ts";
import { say } from "../render/say.ts";
import { fileError } from "../workspace.ts";
import { figuresOf } from "./figures.ts";
import { type AccountFlags, optionsOf, questionsOf, seenBy, targetOf } from "./flags.ts";
import type { EpsilonAt, Question } from "./question.ts";
import { askedAt, renderReport } from "./render-report.ts";
import { type Report, reportOf } from "./report.ts";
import { shown } from "./shown-number.ts";
import { type Subject, subjectOf } from "./subject.ts";

/** The point at which the curves are marked when no δ above 0 was asked for. */
const usual: EpsilonAt = { delta: 1e-6, said: "1e-6" };

/** The subject of an account, in words. */
export interface Said {
  readonly title: string;
  readonly details: string;
  /** The unit in which its growth is counted; "runs" unless stated. */
  readonly of?: string;
}

/**
 * Prints the report of an event, and draws it where that was asked for. A calibrated event is reported at its target.
 * Errors: cli.usage where nothing was asked; cli.file; parameter.invalid; account.unprovable.
 */
export async function answer(
  said: Said,
  event: Event,
  flags: AccountFlags,
  found: Report["found"] = null,
): Promise<void> {
  const { plot, data, json } = flags;
  checkName(plot, ".svg", "--plot");
  checkName(data, ".json", "--data");
  const target = found === null || flags.advantage !== undefined ? null : targetOf(flags);
  const questions = target === null ? questionsOf(flags) : [target.question];
  const { adjacency } = flags;
  const options = target === null ? optionsOf(flags) : { adjacency, accuracy: target.accuracy };
  const seen = (run: Event): Event => seenBy(flags, run);
  const subject = subjectOf(grouped(said, flags), event, options, seen);
  const report = reportOf(subject, questions, found);
  const isDrawn = plot !== undefined || data !== undefined;
  const figures = isDrawn ? draw(said, event, subject, markedAt(questions), flags) : [];
  if (data !== undefined) write(data, `${renderJson(figures)}\n`, "the figures");
  if (plot !== undefined) {
    const { drawFigures } = await import("../plot/draw-figures.ts");
    write(plot, await drawFigures(figures, headline(report)), "the plot");
  }
  if (json) say(renderJson(isDrawn ? { ...report, figures } : report));
  else say(renderReport(report));
}

function grouped(said: Said, { group }: AccountFlags): Said {
  return group === undefined || group === "1"
    ? said
    : { ...said, details: `${said.details}; as ${group} units together see it` };
}

/** Returns the figures to draw. Intervals a little thinner than a drawn line are narrow enough, unless --accuracy says otherwise. */
function draw(
  said: Said,
  event: Event,
  subject: Subject,
  at: EpsilonAt,
  flags: AccountFlags,
): readonly Figure[] {
  const { adjacency, accuracy } = flags;
  const marked = { ...at, epsilon: subject.whole.epsilon(at.delta).upper };
  const isDrawable = marked.epsilon > 0 && marked.epsilon < Number.POSITIVE_INFINITY;
  if (accuracy !== undefined || !isDrawable) return figuresOf(subject, marked);
  const rough = { adjacency, accuracy: marked.epsilon / 400 };
  return figuresOf(
    subjectOf(said, event, rough, (run) => seenBy(flags, run)),
    marked,
  );
}

function markedAt(questions: readonly Question[]): EpsilonAt {
  return questions.filter((question) => "delta" in question).find(({ delta }) => delta > 0) ?? usual;
}

function headline({ title, details, adjacency, answers }: Report): { title: string; subtitle: string } {
  const [first] = answers;
  const claim =
    first === undefined
      ? ""
      : `: ${first.of === "epsilon" ? "ε" : "δ"} = ${shown(first.best.upper, "up", 5)} at ${askedAt(first.asked)}`;
  return { title: `${title}${claim}`, subtitle: `${details}; ${adjacency}` };
}

/** Refuses another ending: a slip of the fingers must not overwrite a file of another kind. */
function checkName(path: string | undefined, ending: string, option: string): void {
  if (path === undefined || path.toLowerCase().endsWith(ending)) return;
  throw new LetheError("cli.usage", `${option} writes a file that ends in ${ending}`, {
    fix: `name it ${option} out${ending}`,
  });
}

function write(path: string, text: string, what: string): void {
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw fileError("write", path, what, error);
  }
}
