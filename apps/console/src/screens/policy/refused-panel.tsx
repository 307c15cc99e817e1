import { hrefOf } from "../../route/route.ts";
import type { Refused } from "../../thread/works.ts";
import { visible } from "../../words/visible.ts";

/** Why a text cannot be the policy, and where. */
export function RefusedPanel({ of: { code, message, fix, line, column } }: { readonly of: Refused }) {
  const place =
    line === null ? "" : column === null ? ` (line ${line})` : ` (line ${line}, column ${column})`;
  return (
    <div class="panel problem" role="alert">
      <strong>
        <bdi>{visible(message)}</bdi>
      </strong>
      {place}
      <p>
        <bdi>{visible(fix)}</bdi>
      </p>
      <p class="quiet">
        Code{" "}
        <a href={hrefOf(`help/${code}`)}>
          <code>{code}</code>
        </a>
      </p>
    </div>
  );
}
