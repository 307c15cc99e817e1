import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, setDiagnostics } from "@codemirror/lint";
import { EditorState, type Text } from "@codemirror/state";
import { drawSelection, EditorView, keymap, lineNumbers } from "@codemirror/view";
import { useEffect, useRef } from "preact/hooks";
import { highlight, look } from "../../parts/editor-look.ts";
import { hiddenCharacters } from "../../parts/hidden-characters.ts";
import { typeOver } from "../../parts/type-over.ts";
import { yamlLanguage } from "./yaml-language.ts";

/** Something that is said of a line of the text. */
export interface Mark {
  readonly line: number;
  /** Where in the line it begins; null where the whole line is meant. */
  readonly column: number | null;
  readonly severity: "error" | "warning";
  readonly message: string;
}

interface TextEditorProps {
  readonly label: string;
  /** A text that the page writes into the editor, once for each object. */
  readonly given: { readonly text: string };
  readonly readOnly: boolean;
  readonly onChange: (value: string) => void;
  readonly marks: readonly Mark[];
}

/** An editor of a policy's text. It lies in a shadow root, as the editor of questions does. Tab leaves it. */
export function TextEditor({ label, given, readOnly, onChange, marks }: TextEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const now = useRef(onChange);
  now.current = onChange;
  useEffect(() => {
    if (place.current === null) return;
    const root = place.current.shadowRoot ?? place.current.attachShadow({ mode: "open" });
    const told = EditorView.updateListener.of(({ docChanged, state }) => {
      if (docChanged) now.current(state.doc.toString());
    });
    const made = new EditorView({
      root,
      parent: root,
      state: EditorState.create({ doc: given.text, extensions: [...extensions(label, readOnly), told] }),
    });
    view.current = made;
    return () => made.destroy();
  }, [label, readOnly]);
  useEffect(() => {
    const held = view.current;
    if (held === null || held.state.doc.toString() === given.text) return;
    held.dispatch({ changes: { from: 0, to: held.state.doc.length, insert: given.text } });
  }, [given]);
  useEffect(() => {
    const held = view.current;
    if (held === null) return;
    held.dispatch(
      setDiagnostics(
        held.state,
        marks.flatMap((mark) => markedIn(held.state.doc, mark)),
      ),
    );
  }, [marks]);
  return <div class="editor policy-text" ref={place} />;
}

function markedIn(doc: Text, { line, column, severity, message }: Mark): Diagnostic[] {
  if (line < 1 || line > doc.lines) return [];
  const { from, to, text } = doc.line(line);
  const begin = column === null ? text.length - text.trimStart().length : column - 1;
  return [{ from: Math.min(from + begin, to), to, severity, message }];
}

function extensions(label: string, readOnly: boolean) {
  return [
    lineNumbers(),
    history(),
    drawSelection(),
    hiddenCharacters,
    typeOver,
    yamlLanguage,
    syntaxHighlighting(highlight),
    keymap.of([...historyKeymap, ...defaultKeymap]),
    EditorView.lineWrapping,
    EditorState.readOnly.of(readOnly),
    EditorView.contentAttributes.of({
      "aria-label": label,
      "aria-multiline": "true",
      spellcheck: "false",
      ...(readOnly ? { "aria-readonly": "true" } : {}),
    }),
    // Of two themes the first counts.
    ownLook,
    look,
  ];
}

const ownLook = EditorView.theme({
  // The page scrolls, and not the editor: its lines wrap.
  ".cm-scroller": { minHeight: "18rem", maxHeight: "none", overflow: "hidden" },
  ".cm-gutters": { backgroundColor: "var(--sunk)", color: "var(--quiet)", border: "0" },
  ".cm-lintRange-warning": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--warn)",
    textUnderlineOffset: "0.25em",
  },
  ".cm-diagnostic-warning": { borderLeftColor: "var(--warn)" },
});
