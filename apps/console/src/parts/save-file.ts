/** Lets the browser save a file that the page made. */
export function saveFile(name: string, content: string | Uint8Array<ArrayBuffer>, type: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  // The browser has begun to save it when the next task runs.
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
