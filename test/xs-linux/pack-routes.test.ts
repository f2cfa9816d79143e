import { packRoutesSuite } from "../suites/pack-routes";
import { linux } from "./linux-stage";

packRoutesSuite(linux);
