import { StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";

/** A stretch of the text that a refusal is about, and what is wrong with it. */
interface Marked {
  readonly from: number;
  readonly to: number;
  readonly message: string;
}

const marked = StateEffect.define<Marked | null>();

/** Keeps one marked stretch, which moves with the text around it. */
export const mark = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (before, { changes, effects }) => {
    const set = effects.find((effect) => effect.is(marked));
    return set ? decorationOf(set.value) : before.map(changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Marks a stretch in the place of the one before; null marks none. */
export function markIn(view: EditorView, stretch: Marked | null): void {
  view.dispatch({ effects: marked.of(stretch) });
}

function decorationOf(stretch: Marked | null): DecorationSet {
  if (stretch === null || stretch.from >= stretch.to) return Decoration.none;
  const { from, to, message } = stretch;
  return Decoration.set(
    Decoration.mark({ class: "cm-refused", attributes: { title: message } }).range(from, to),
  );
}
