import type { Dialect } from "../endpoints/context";
import type { Exchange } from "http-server/types";
import type { WebOptions } from "./options";
import type { Session, Sessions } from "./sessions";
import type { SignIn } from "./sign-in";
import type { EventStreams } from "./streams";

/** Shared by the resources of the web interface. */
export interface WebContext extends WebOptions {
  readonly dialect: Dialect;
  readonly sessions: Sessions;
  readonly signIn: SignIn;
  readonly streams: EventStreams;
}

/** Answers a request. `session`: the client's; undefined on the first start and where none is required. */
export type Answer = (context: WebContext, exchange: Exchange, session: Session | undefined) => void;
