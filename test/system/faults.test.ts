import { faultSuite } from "../suites/faults";
import { simulated } from "../support/system/whole-system";

// The tick count wraps half a minute after the start.
faultSuite(simulated({ ticks: 2 ** 31 - 30_000 }));
