/** Whether a note tells that a SELECT over an answer makes too much to be shown. */
export function tellsTooMuch(note: string): boolean {
  return note.startsWith("the SELECT over the answer makes more than");
}
