import { deviceSuite } from "../suites/device";
import { simulated } from "../support/whole-system";

deviceSuite(simulated());
