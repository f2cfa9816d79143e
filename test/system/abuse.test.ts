import { abuseSuite } from "../suites/abuse";
import { simulated } from "../support/system/whole-system";

/** ms that the script of the device needs for a request, about. */
const BUSY = 4;

abuseSuite(simulated({ busyPerRequest: BUSY }));
