/** What the firmware has of notifications. A board may do without: without-notify.ts. */
import { Notify } from "./notify";
import type { NotifyDevice } from "./types";

export { discardMessages } from "./message-queue";

export const openNotify = (device: NotifyDevice): Notify => new Notify(device);
