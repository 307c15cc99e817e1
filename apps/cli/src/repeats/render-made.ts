import { elementAt, lastElement } from "@lethe/core/numeric";
import type { MadeAhead, MadeAnswer } from "@lethe/gateway";
import { asDrawn, csvOf, namedMade, renderJson } from "@lethe/serve/formats";
import { terminalWidth } from "../render/layout/terminal-width.ts";
import {
  type ReleaseFormat,
  type ReleaseLayout,
  renderNotes,
  renderRows,
  withFacts,
} from "../render/release.ts";

/** Renders an answer that is made of releases, in each format; as JSON with the releases, for lethe verify. */
export const renderMade: Readonly<
  Record<ReleaseFormat, (made: MadeAnswer, layout?: Omit<ReleaseLayout, "repeat">) => string>
> = {
  table: (made, { verbose = false, width = terminalWidth() } = {}) =>
    withFacts(
      renderRows(asDrawn(made), made.confidence, width),
      [...renderMaking(made), ...renderNotes(made, verbose)],
      width,
    ),
  json: (made) => renderJson({ answer: namedMade(made), ...made }),
  csv: (made) => csvOf(asDrawn(made)),
};

/** Renders of what an answer is made, and how far it may be off, here and in an answer that is paid for. */
export function renderMaking({ of, errors }: MadeAnswer): readonly string[] {
  return [
    `Made    of ${namesOf({ of })}, as of ${lastElement(of).at}: nothing is charged (--fresh pays for a new answer)`,
    ...errors.map(
      ({ column, here, anew }) =>
        `Error   ${column}: at most ±${half(here)} here, ±${half(anew)} in a new answer`,
    ),
  ];
}

/** Returns the names of the releases: an id, or that of the first and the place of the last of several answers to one question. */
export function namesOf({ of }: Pick<MadeAnswer, "of">): string {
  const { requestId } = elementAt(of, 0);
  return of.length === 1 ? requestId : `${requestId} to -${of.length}`;
}

/** An answer that can be made: given for nothing, or told of. */
export function renderMadeAhead({ of, errors, isTaken }: MadeAhead): string {
  const off = errors
    .map(({ column, here, anew }) => `${column} ±${half(here)} (new: ±${half(anew)})`)
    .join(", ");
  return isTaken
    ? `Now     nothing: made of ${namesOf({ of })}, off by at most ${off}; --fresh pays for a new one`
    : `Made    for nothing, lethe query --made gives what ${namesOf({ of })} makes, off by at most ${off}`;
}

/** Three digits, rounded up: an error is never told smaller than it is. */
function half(width: number): string {
  if (width === 0) return "0";
  const unit = 10 ** (Math.floor(Math.log10(width)) - 2);
  return String(Number((Math.ceil(width / unit) * unit).toPrecision(3)));
}
