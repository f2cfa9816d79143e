import { abuseSuite } from "../suites/abuse";
import { linux } from "./linux-stage";

abuseSuite(linux);
