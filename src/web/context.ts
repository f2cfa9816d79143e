import type { Exchange } from "http-server/types";
import type { Context, Sources } from "../endpoints/context";
import type { Session, Sessions } from "./sessions";
import type { SignIn } from "./sign-in";
import type { EventStreams } from "./streams";
import type { WebDevice } from "./types";

/** Shared by the resources of the web interface. A resource names what it reaches of the device: `WebContext<"updater">`. */
export interface WebContext<Reached extends keyof WebDevice = never> extends Context<Extract<Reached, keyof Sources>> {
  readonly device: Pick<WebDevice, Reached | "json">;
  readonly sessions: Sessions;
  readonly signIn: SignIn;
  readonly streams: EventStreams;
}

/** Answers a request. `session`: the client's; undefined on the first start and where none is required. */
export type Answer = (context: WebContext<keyof WebDevice>, exchange: Exchange, session: Session | undefined) => void;
