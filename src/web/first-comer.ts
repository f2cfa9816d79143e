/**
 * Whom the button admits to choose the first password: /web/button. The first page that asks gets a number, and a press admits this page at
 * this address, and nobody else. While a second one asks, a press admits nobody: which of them is at the device is not known.
 */
import Time from "time";
import type RNG from "rng";
import type { JsonWriter } from "json/writer";
import { isSecret } from "../auth/secret";
import { ADMITTED_FOR, ASKING_FOR, NUMBER_DIGITS } from "./limits";

const within = (since: number | undefined, limit: number): boolean =>
  since !== undefined && ((Time.ticks - since) | 0) < limit;

export class FirstComer {
  private readonly random: typeof RNG;
  private address = "";
  private number = "";
  /** Ticks of its last request. */
  private askedAt: number | undefined;
  /** The last other one that asked, and whether there was yet another. */
  private rival = "";
  private rivals = false;
  private rivalAt: number | undefined;
  /** Ticks of the press that admitted the first comer. */
  private admittedAt: number | undefined;

  constructor(random: typeof RNG) {
    this.random = random;
  }

  /** A page claims to be the first, with the number it was given, if any. Returns whether it is. */
  claim(address: string, number: unknown): boolean {
    const now = Time.ticks;
    if (!this.isAsking && !this.isAdmitted) {
      if (address !== this.address || number !== this.number) this.number = this.makeNumber();
      this.address = address;
      this.admittedAt = undefined;
      // It was second to the one that has left.
      if (this.rival === address && !this.rivals) this.rivalAt = undefined;
    } else if (address !== this.address || number !== this.number) {
      this.rivals = this.isContested && (this.rivals || this.rival !== address);
      this.rival = address;
      this.rivalAt = now;
      return false;
    }
    this.askedAt = now;
    return true;
  }

  press(): void {
    if (!this.isAsking) return trace("button: no page asks to choose the password\n");
    if (this.isContested)
      return trace(`button: ${this.address} and ${this.rival} ask to choose the password: nobody may\n`);
    this.admittedAt = Time.ticks;
    trace(`button: ${this.address} may choose the password (number ${this.number})\n`);
  }

  /** Whether the press admitted the page that was given `number`. */
  admits(address: string, number: unknown): boolean {
    if (!this.isAdmitted || address !== this.address || typeof number !== "string") return false;
    if (isSecret(number, this.number)) return true;
    // Somebody at the same address guesses: once.
    this.admittedAt = undefined;
    return false;
  }

  /** Writes the answer to the page that asked: the members of `data`. */
  write(json: JsonWriter, isFirst: boolean): void {
    const state = isFirst && this.isAdmitted ? "admitted" : !isFirst || this.isContested ? "contested" : "waiting";
    json.string("state", state).string("number", isFirst ? this.number : "");
    json.string("other", isFirst ? (this.isContested ? this.rival : "") : this.address);
  }

  private get isAsking(): boolean {
    return within(this.askedAt, ASKING_FOR);
  }

  private get isContested(): boolean {
    return within(this.rivalAt, ASKING_FOR);
  }

  private get isAdmitted(): boolean {
    return within(this.admittedAt, ADMITTED_FOR);
  }

  private makeNumber(): string {
    const [value = 0] = new Uint32Array(this.random.get(Uint32Array.BYTES_PER_ELEMENT));
    return (value % 10 ** NUMBER_DIGITS).toString().padStart(NUMBER_DIGITS, "0");
  }
}
