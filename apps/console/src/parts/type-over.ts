import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";

/** Replaces a selection by what is typed. Chromium would first write the colours of the selection into the page as a style, which the content security policy refuses and reports. */
export const typeOver: Extension = EditorView.domEventHandlers({
  beforeinput: (event, view) => {
    const { inputType, data } = event;
    const { state, composing } = view;
    const { from, to, empty } = state.selection.main;
    if (inputType !== "insertText" || data === null || empty || composing || state.readOnly) return false;
    const typed = () =>
      state.update(state.replaceSelection(data), { userEvent: "input.type", scrollIntoView: true });
    const isDone = state.facet(EditorView.inputHandler).some((handle) => handle(view, from, to, data, typed));
    if (!isDone) view.dispatch(typed());
    event.preventDefault();
    return true;
  },
});
