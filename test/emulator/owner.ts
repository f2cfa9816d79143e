/** The owner of an emulated board, who is signed in to its page through the forwarded port. */
import type { GroupName, SettingsGroups } from "../../src/settings/types";
import { hashPassword } from "../../host-sim/password";
import { TOKEN } from "../support/system/system";
import { WebClient, type WebAnswer } from "../support/web/web-client";
import { ROUTER } from "./command";
import { JOINED, type Machine, type Stored, until } from "./machine";

export const PASSWORD = "Lítio-280-Ah";
/** A page that has not answered within this time, ms, is asked again. */
const ANSWER_TIME = 3000;

/** A board that knows its network, its password and its token. */
export const OWNED: Stored = {
  ...JOINED,
  api: { enabled: true, token: TOKEN },
  web: { password: hashPassword(PASSWORD, 100) },
};

/** The board knows itself by its address in the router's network, which a forwarded port does not have. */
const HEADERS = { host: ROUTER.lease, origin: `http://${ROUTER.lease}` };

export interface DeviceDocument {
  /** Seconds since the reset. */
  readonly uptime: number;
  readonly start: {
    readonly reason: string;
    readonly restarts: number;
    readonly where: string;
    readonly safeMode: boolean;
    /** Settings that could not be read. */
    readonly problems: readonly string[];
  };
  readonly memory: Readonly<Record<"slots" | "chunks" | "free" | "leastFree" | "largestBlock", number | null>>;
  readonly link: { readonly online: boolean; readonly crcErrors: number };
  readonly network: { readonly ip: string; readonly ssid: string };
  readonly update: { readonly state: string; readonly error: string };
}

export class Owner {
  readonly #client: WebClient;

  private constructor(url: string) {
    this.#client = new WebClient({ url });
  }

  /** Waits until the board is on the network, and signs in. */
  static async of(machine: Machine): Promise<Owner> {
    // QEMU accepts a connection that the board does not hear yet, and repeats its SYN ever more slowly: begin another one.
    await until(`the page answers:\n${machine.console.slice(-2000)}`, () =>
      fetch(`${machine.url}/`, { signal: AbortSignal.timeout(ANSWER_TIME) }).catch(() => undefined),
    );
    const owner = new Owner(machine.url);
    // The board hears requests a moment before it knows its address, by which it is asked: until then 421.
    const status = await until("the board knows its address", async () => {
      const answer = await owner.send("POST", "/web/session", { password: PASSWORD });
      return answer.status === 421 ? undefined : answer.status;
    });
    if (status !== 200) throw new Error(`signing in is answered with ${status}`);
    return owner;
  }

  send(method: string, path: string, body?: unknown): Promise<WebAnswer> {
    return this.#client.send(method, path, { ...(body !== undefined && { body }), headers: HEADERS });
  }

  /** Uploads an image. */
  update(image: Uint8Array): Promise<WebAnswer> {
    const { request, answer } = this.#client.upload("/web/update", image.length, HEADERS);
    request.end(image);
    return answer;
  }

  async device(): Promise<DeviceDocument> {
    const answer = await this.send("GET", "/web/device");
    if (answer.status !== 200) throw new Error(`the device page is answered with ${answer.status}`);
    return (answer.json as { data: DeviceDocument }).data;
  }

  async configure<Name extends GroupName>(group: Name, change: Partial<SettingsGroups[Name]>): Promise<void> {
    const { status, text } = await this.send("POST", `/web/group/${group}`, change);
    if (status !== 200) throw new Error(`changing ${group} is answered with ${status}: ${text}`);
  }
}
