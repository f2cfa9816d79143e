import { deviceSuite } from "../suites/device";
import { simulated } from "../support/system/whole-system";

deviceSuite(simulated());
