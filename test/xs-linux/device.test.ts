import { deviceSuite } from "../suites/device";
import { linux } from "./linux-stage";

deviceSuite(linux);
