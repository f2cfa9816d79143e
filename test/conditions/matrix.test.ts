/** Every row of the table by every interface: test/suites/condition-matrix.ts. */
import { conditionMatrix } from "../suites/condition-matrix";

conditionMatrix();
