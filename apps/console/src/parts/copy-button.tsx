import { useState } from "preact/hooks";
import { useHouse } from "../house/house.ts";

/** Copies a text, and says so. */
export function CopyButton({ text, label = "Copy" }: { readonly text: string; readonly label?: string }) {
  const { announce } = useHouse();
  const [word, setWord] = useState(label);
  const say = (told: string): void => {
    setWord(told);
    announce(told);
    setTimeout(() => setWord(label), 2000);
  };
  return (
    <button
      type="button"
      onClick={() =>
        void Promise.resolve(navigator.clipboard?.writeText(text) ?? Promise.reject(new Error("none"))).then(
          () => say("Copied"),
          () => say("The browser does not let this page copy"),
        )
      }
    >
      {word}
    </button>
  );
}
