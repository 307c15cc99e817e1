/** What a screen is shown with: the part of the path after its own, such as a request's id, and what the address asks. */
export interface ScreenAddress {
  readonly rest: string;
  readonly query: Readonly<Record<string, string>>;
}
