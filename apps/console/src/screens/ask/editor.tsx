import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, syntaxHighlighting } from "@codemirror/language";
import { EditorState, Prec } from "@codemirror/state";
import { drawSelection, EditorView, keymap, placeholder } from "@codemirror/view";
import type { LetheProblem } from "@lethe/client";
import { useEffect, useRef } from "preact/hooks";
import { highlight, look } from "../../parts/editor-look.ts";
import { hiddenCharacters } from "../../parts/hidden-characters.ts";
import { typeOver } from "../../parts/type-over.ts";
import type { Word } from "./completions.ts";
import { placeOf } from "./place-of.ts";
import { markRefused, refusedPlace } from "./refused-place.ts";
import { sqlLanguage } from "./sql-language.ts";

interface EditorProps {
  readonly label: string;
  /** A text that the page writes into the editor, once for each object: what is typed meanwhile is told by `onChange` alone. */
  readonly given: { readonly text: string };
  readonly onChange: (value: string) => void;
  /** Called at Ctrl+Enter, and Cmd+Enter. */
  readonly onAsk: () => void;
  readonly wordsAt: (before: string, whole: string) => readonly Word[];
  /** A refusal of this very text, which is marked where it names a place. */
  readonly problem: LetheProblem | null;
}

/**
 * An editor of SQL. It lies in a shadow root: there CodeMirror's styles are sheets of objects, which a strict content security policy allows, where a document would get elements with text. Tab leaves
 * it, as it leaves any field.
 */
export function Editor({ label, given, onChange, onAsk, wordsAt, problem }: EditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const now = useRef({ onChange, onAsk, wordsAt });
  now.current = { onChange, onAsk, wordsAt };
  useEffect(() => {
    if (place.current === null) return;
    const root = place.current.shadowRoot ?? place.current.attachShadow({ mode: "open" });
    const made = new EditorView({
      root,
      parent: root,
      state: EditorState.create({ doc: given.text, extensions: extensions(label, now) }),
    });
    view.current = made;
    return () => made.destroy();
  }, []);
  useEffect(() => {
    const held = view.current;
    if (held === null || held.state.doc.toString() === given.text) return;
    held.dispatch({ changes: { from: 0, to: held.state.doc.length, insert: given.text } });
  }, [given]);
  useEffect(() => {
    const held = view.current;
    if (held === null) return;
    const place = problem && placeOf(problem, held.state.doc.toString());
    held.dispatch({ effects: markRefused.of(place) });
  }, [problem]);
  return <div class="editor" ref={place} />;
}

type Now = { readonly current: Pick<EditorProps, "onChange" | "onAsk" | "wordsAt"> };

function extensions(label: string, now: Now) {
  const complete = (context: CompletionContext): CompletionResult | null => {
    const word = context.matchBefore(/\w*/);
    const before = context.state.sliceDoc(0, context.pos);
    if (word === null || (word.from === word.to && !context.explicit && !before.endsWith("."))) return null;
    const options = now.current
      .wordsAt(before, context.state.doc.toString())
      .map(({ label: name, kind, detail = "" }) => ({ label: name, detail, boost: boosts[kind] }));
    return { from: word.from, options, validFor: /^\w*$/ };
  };
  const ask = (): boolean => {
    now.current.onAsk();
    return true;
  };
  return [
    Prec.highest(keymap.of([{ key: "Mod-Enter", run: ask }])),
    history(),
    drawSelection(),
    hiddenCharacters,
    typeOver,
    sqlLanguage,
    syntaxHighlighting(highlight),
    bracketMatching(),
    refusedPlace,
    closeBrackets(),
    autocompletion({ override: [complete], icons: false }),
    keymap.of([...closeBracketsKeymap, ...completionKeymap, ...historyKeymap, ...defaultKeymap]),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ "aria-label": label, "aria-multiline": "true", spellcheck: "false" }),
    placeholder("SELECT …"),
    look,
    EditorView.updateListener.of(({ docChanged, state }) => {
      if (docChanged) now.current.onChange(state.doc.toString());
    }),
  ];
}

/** Names of the policy come before functions, and those before keywords. */
const boosts = { column: 3, table: 2, function: 1, keyword: 0 } as const;
