import { useHouse } from "../../house/house.ts";
import { hrefOf } from "../../route/route.ts";
import { shortcutWords } from "../../words/shortcut-words.ts";

/** Keys beside those of the screens. The editor's are CodeMirror's, but for the first. */
const others: readonly (readonly [string, string])[] = [
  ["Ctrl+Enter", "ask what stands in the editor; on a Mac, ⌘+Enter"],
  ["Ctrl+Space", "complete a name in the editor"],
  ["Tab", "go on to what comes next, also out of the editor; the first Tab of a page skips to its content"],
  ["Esc", "close a dialog, or the list of names to complete"],
];

/** The keys that work on every page, and those of the editor. */
export function Keys() {
  const { screens } = useHouse();
  return (
    <section aria-labelledby="keys">
      <h2 id="keys">Keys</h2>
      <dl class="help">
        {screens.map(({ path, title, shortcut }) => (
          <div key={path} class="pair">
            <dt>
              <KeyNames of={shortcutWords(shortcut)} />
            </dt>
            <dd>
              <a href={hrefOf(path)}>{title}</a>
            </dd>
          </div>
        ))}
        {others.map(([keys, does]) => (
          <div key={keys} class="pair">
            <dt>
              <KeyNames of={keys} />
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function KeyNames({ of }: { readonly of: string }) {
  return (
    <>
      {of.split("+").map((key, at) => (
        <span key={key}>
          {at === 0 ? null : "+"}
          <kbd>{key}</kbd>
        </span>
      ))}
    </>
  );
}
