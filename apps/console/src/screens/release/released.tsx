import type { Release } from "@lethe/client";
import { AnswerView } from "../../answers/answer-view.tsx";
import { ShowReceived } from "../../answers/show-received.tsx";
import { useHouse } from "../../house/house.ts";
import { useLoaded } from "../../house/use-loaded.ts";
import { CopyButton } from "../../parts/copy-button.tsx";
import { Screen } from "../../parts/screen.tsx";
import { hrefOf } from "../../route/route.ts";
import { isOneOf } from "../../session/me.ts";
import { visible } from "../../words/visible.ts";
import { certificateFacts } from "./certificate-words.ts";
import { FactList } from "./fact-list.tsx";
import { VerifyPanel } from "./verify-panel.tsx";

interface ReleasedProps {
  readonly requestId: string;
  /** Whose request it is: the visitor's where it is null. */
  readonly of: string | null;
  /** The offer by which it was received; null for a request of somebody's own. */
  readonly offer: string | null;
}

/** A release: its answer, its charge, how it was made, and its certificate, which this browser verifies. An auditor sees the certificate alone. */
export function Released({ requestId, of, offer }: ReleasedProps) {
  const { service, me } = useHouse();
  const seesRows = isOneOf(me, ["owner", "analyst"]);
  const path = `releases/${encodeURIComponent(requestId)}`;
  const whose = of === null ? "" : `?of=${encodeURIComponent(of)}`;
  const release = useLoaded(async () => {
    if (offer !== null) return service.lethe.receive(offer, { made: true });
    return service.call<Partial<Release>>(
      "GET",
      seesRows ? `${path}${whose}` : `${path}/certificate${whose}`,
    );
  }, [service, path, whose, offer, seesRows]);
  const policy = useServedPolicy();
  const source = offer !== null ? { offer } : { requestId, ...(of === null ? {} : { of }) };
  return (
    <Screen
      title="Release"
      lead="An answer, what it cost, how it was made, and the proof."
      actions={
        <a class="button" href={hrefOf("release")}>
          Verify another
        </a>
      }
    >
      <ShowReceived of={release} offer={offer} what="the release">
        {(held) => (
          <>
            {held.answer ? <AnswerView answer={held.answer} source={source} /> : null}
            <h2>How it was made</h2>
            <FactList facts={certificateFacts(held.certificate)} />
            <details class="panel">
              <summary>The certificate as it was signed</summary>
              <pre>{visible(JSON.stringify(held.certificate, null, 2))}</pre>
              <p class="row">
                <CopyButton
                  text={JSON.stringify({ certificate: held.certificate, signature: held.signature })}
                  label="Copy it with its signature"
                />
              </p>
            </details>
            {held.answer ? (
              <VerifyPanel text={JSON.stringify(held)} servedPolicy={policy} />
            ) : (
              <p class="panel">
                A certificate is verified with the rows that it covers. Your roles see no rows: ask whoever
                has the answer for its file, and{" "}
                <a href={hrefOf("release")}>verify the file on the page for releases</a>.
              </p>
            )}
          </>
        )}
      </ShowReceived>
    </Screen>
  );
}

/** Returns the policy in force for those who may read it; null for others, and until it is there. */
export function useServedPolicy(): string | null {
  const { service, me } = useHouse();
  const policy = useLoaded(
    async () =>
      isOneOf(me, ["owner", "auditor"])
        ? (await service.call<{ readonly text: string }>("GET", "policy")).text
        : null,
    [service, me],
  );
  return policy.value;
}
