import { Screen } from "../../parts/screen.tsx";
import { hrefOf } from "../../route/route.ts";
import { visible } from "../../words/visible.ts";
import { errors } from "./help-pages.generated.ts";
import { WithCode } from "./with-code.tsx";

/** What one error means, when it comes, and what to do. */
export function ErrorPage({ code }: { readonly code: string }) {
  const error = errors.find((each) => each.code === code);
  return (
    <Screen
      title={error === undefined ? "No such error" : error.code}
      actions={
        <a class="button" href={hrefOf("help")}>
          All errors and words
        </a>
      }
    >
      {error === undefined ? (
        <p>
          No error of this version has the code <code>{visible(code)}</code>.
        </p>
      ) : (
        <>
          <p class="lead">
            <WithCode text={error.meaning} />
          </p>
          <dl>
            <dt>When</dt>
            <dd>
              <WithCode text={opened(error.when)} />
            </dd>
            <dt>What to do</dt>
            <dd>
              <WithCode text={opened(error.fix)} />
            </dd>
            <dt>Example</dt>
            <dd>
              <WithCode text={opened(error.example)} />
            </dd>
          </dl>
        </>
      )}
    </Screen>
  );
}

/** Opens a sentence with a capital, unless it opens with a sign such as ε. */
function opened(text: string): string {
  return text.replace(/^[a-z]/, (first) => first.toUpperCase());
}
