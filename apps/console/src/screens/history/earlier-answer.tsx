import { releaseOf } from "../../answers/answer-source.ts";
import { AnswerView } from "../../answers/answer-view.tsx";
import { ShowReceived } from "../../answers/show-received.tsx";
import { useHouse } from "../../house/house.ts";
import { useLoaded } from "../../house/use-loaded.ts";
import { CopyButton } from "../../parts/copy-button.tsx";
import { Screen } from "../../parts/screen.tsx";
import { hrefOf } from "../../route/route.ts";
import { timeWords } from "../../words/time-words.ts";
import { visible } from "../../words/visible.ts";

interface EarlierAnswerProps {
  readonly requestId: string;
  /** The offer by which it was received; null for a request of the visitor's own. */
  readonly offer: string | null;
}

/** An answer of before, with the certificate that proves it. */
export function EarlierAnswer({ requestId, offer }: EarlierAnswerProps) {
  const { service } = useHouse();
  const source = offer === null ? { requestId } : { offer };
  const release = useLoaded(() => releaseOf(service, source), [service, requestId, offer]);
  return (
    <Screen
      title="An earlier answer"
      actions={
        <>
          <a class="button" href={hrefOf(`release/${requestId}`, offer === null ? {} : { offer })}>
            Verify
          </a>
          <a class="button" href={hrefOf("history")}>
            Back to the history
          </a>
        </>
      }
    >
      <ShowReceived of={release} offer={offer} what="the answer">
        {({ answer, certificate, signature }) => (
          <>
            <p class="lead">Given {timeWords(answer.asOf)}, and shown again for nothing.</p>
            <AnswerView answer={answer} source={source} />
            <details class="panel">
              <summary>Certificate</summary>
              <pre>{visible(JSON.stringify(certificate, null, 2))}</pre>
              <p class="row">
                <CopyButton
                  text={JSON.stringify({ certificate, signature })}
                  label="Copy it with its signature"
                />
              </p>
            </details>
          </>
        )}
      </ShowReceived>
    </Screen>
  );
}
