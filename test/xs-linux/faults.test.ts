import { faultSuite } from "../suites/faults";
import { linux } from "./linux-stage";

faultSuite(linux);
