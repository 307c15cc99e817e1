import { StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";

/** A stretch of the text that a refusal is about; null for none. */
export const markRefused = StateEffect.define<{ readonly from: number; readonly to: number } | null>();

/** The class of CodeMirror's own marks, so that both have one look. Its package for them would be 4 % of what the page loads. */
const mark = Decoration.mark({ class: "cm-lintRange-error" });

/** Shows the stretch that {@link markRefused} stated last, and moves it with what is typed before it. */
export const refusedPlace: StateField<DecorationSet> = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (marks, { changes, effects }) => {
    const stated = effects.findLast((effect) => effect.is(markRefused));
    if (stated === undefined) return marks.map(changes);
    const place = stated.value as { readonly from: number; readonly to: number } | null;
    return place === null || place.from === place.to
      ? Decoration.none
      : Decoration.set([mark.range(place.from, place.to)]);
  },
  provide: (field) => EditorView.decorations.from(field),
});
