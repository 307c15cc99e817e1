/** A word to the other windows of this browser: who is signed in, or that somebody signed out. */
export type Word = { readonly signedIn: string | null } | "signed out";

/** The other windows of this browser, which share its cookie. */
export interface Windows {
  readonly tell: (word: Word) => void;
  /** Sets what hears their words. */
  readonly hear: (heard: (word: Word) => void) => void;
}

/** Opens the way to the other windows of this page. Where a browser has none, nothing is told or heard. */
export function otherWindows(): Windows {
  if (typeof BroadcastChannel === "undefined") return { tell: () => undefined, hear: () => undefined };
  const channel = new BroadcastChannel("lethe.session");
  return {
    tell: (word) => channel.postMessage(word),
    hear: (heard) => {
      channel.onmessage = ({ data }: MessageEvent<Word>) => heard(data);
    },
  };
}
