import { hrefOf } from "../../route/route.ts";
import type { Head } from "../../thread/works.ts";
import type { Followed } from "./follow-chain.ts";

interface ChainVerdictProps {
  readonly found: Followed;
  /** The head that was kept elsewhere, or null. */
  readonly kept: Head | null;
  readonly open: string | null;
}

/** What following a chain showed, and what it cannot show. */
export function ChainVerdict({ found: { broken, entries, hasKept }, kept, open }: ChainVerdictProps) {
  if (broken !== null)
    return (
      <div class="panel problem" role="alert">
        <strong>This chain is broken: {broken.message}.</strong>
        <p>
          {broken.fix === "" ? null : `${opened(broken.fix)}. `}
          What comes before that place holds.
        </p>
        <p class="quiet">
          Code{" "}
          <a href={hrefOf(`help/${broken.code}`)}>
            <code>{broken.code}</code>
          </a>
        </p>
      </div>
    );
  const followed = `All ${entries.toLocaleString("en")} entries were followed in this browser.`;
  if (hasKept === false && kept !== null)
    return (
      <div class="panel problem" role="alert">
        <strong>This is not the chain that you knew.</strong>
        <p>
          {followed} Each covers the one before it, and none of them is entry{" "}
          {kept.sequence.toLocaleString("en")} that you kept: an older chain was put back, or another one
          written.
        </p>
      </div>
    );
  return (
    <div class="panel well" role="status">
      <strong>The chain holds.</strong>
      <p>
        {followed}{" "}
        {hasKept
          ? "The entry that you kept is one of them."
          : "Without a head that you kept, nobody can see whether its end was cut off."}
        {open === null ? null : ` ${open}`}
      </p>
    </div>
  );
}

/** Opens a sentence with a capital. */
function opened(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
