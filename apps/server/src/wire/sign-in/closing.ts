/** The reason why the service ends a connection by itself. */
export class Closing extends Error {
  override readonly name = "Closing";
  readonly state: "25P03" | "53300" | "57P01" | "57P05";

  constructor(state: Closing["state"], message: string) {
    super(message);
    this.state = state;
  }
}
