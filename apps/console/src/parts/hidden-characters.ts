import type { Extension } from "@codemirror/state";
import { highlightSpecialChars } from "@codemirror/view";
import { hidden, markOf } from "../words/visible.ts";

/** Shows in an editor what would not be seen, or would show others in another order, by its code: what one reads there is what is sent. */
export const hiddenCharacters: Extension = highlightSpecialChars({
  addSpecialChars: hidden,
  render: (code, description) => {
    const mark = document.createElement("span");
    mark.className = "cm-specialChar";
    mark.textContent = markOf(code);
    mark.title = description ?? "";
    return mark;
  },
});
