import { useEffect, useState } from "preact/hooks";

/** Says that the answer is on its way. Nothing of its progress is told: how far it is depends on the data. */
export function Waiting({ since, onStop }: { readonly since: number; readonly onStop: () => void }) {
  const [now, setNow] = useState(since);
  useEffect(() => {
    const clock = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(clock);
  }, [since]);
  return (
    <div class="row">
      <progress aria-label="Waiting for the answer" />
      <span class="quiet" aria-hidden="true">
        {Math.max(0, Math.round((now - since) / 1000))} s
      </span>
      <button class="small" type="button" onClick={onStop}>
        Stop waiting
      </button>
    </div>
  );
}
