import { useEffect, useState } from "preact/hooks";
import { useAction } from "../../house/use-action.ts";
import { ProblemPanel } from "../../parts/problem-panel.tsx";
import { TextOrFile } from "../../parts/text-or-file.tsx";
import { askThread, startThread } from "../../thread/ask-thread.ts";
import type { Verified } from "../../thread/works.ts";
import { CheckList } from "./check-list.tsx";

interface VerifyPanelProps {
  /** The JSON that is verified. */
  readonly text: string;
  /** The policy in force, for those who may read it; null for others, who may give a file of it. */
  readonly servedPolicy: string | null;
}

/** Verifies a release in this browser: by itself, and by the policy and the owner's key where they are given. */
export function VerifyPanel({ text, servedPolicy }: VerifyPanelProps) {
  const { busy, problem, run } = useAction();
  const [key, setKey] = useState("");
  const [policy, setPolicy] = useState("");
  const [verified, setVerified] = useState<Verified | null>(null);
  useEffect(startThread, []);
  useEffect(() => setVerified(null), [text]);
  const given = (value: string): string | null => (value.trim() === "" ? null : value);
  const verify = (): void =>
    void run(async () => {
      setVerified(null);
      const publicKeyPem = given(key);
      setVerified(
        await askThread("verify", { text, policyText: given(policy) ?? servedPolicy, publicKeyPem }),
      );
    });
  return (
    <section aria-labelledby="verify">
      <h2 id="verify">Verify</h2>
      <p>
        This browser checks the release by itself, and sends nothing anywhere. The page came from this
        service: if you do not trust it, check with <code>lethe verify</code>, or in the page of a service
        that you trust.
      </p>
      <details class="panel">
        <summary>
          {servedPolicy === null ? "Add the policy and the owner's key" : "Add the owner's key"}
        </summary>
        <TextOrFile
          label="The ledger's public key"
          hint="The owner gives out the file ledger.pub. With it, this page can tell who signed."
          accept=".pub,.pem,.txt"
          value={key}
          onChange={setKey}
        />
        <TextOrFile
          label="The policy"
          hint={
            servedPolicy === null
              ? "The owner gives out the file lethe.yaml. With it, this page plans the question again."
              : "Left empty, it is the policy in force. An older release needs the policy of its time."
          }
          accept=".yaml,.yml"
          value={policy}
          onChange={setPolicy}
        />
      </details>
      <p class="row">
        <button class="primary" type="button" disabled={busy || text.trim() === ""} onClick={verify}>
          {busy ? "Verifying …" : "Verify in this browser"}
        </button>
      </p>
      <ProblemPanel problem={problem} />
      {verified ? <CheckList verified={verified} /> : null}
    </section>
  );
}
