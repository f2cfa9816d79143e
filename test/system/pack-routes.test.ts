import { packRoutesSuite } from "../suites/pack-routes";
import { simulated } from "../support/system/whole-system";

packRoutesSuite(simulated());
