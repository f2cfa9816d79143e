export { TABLE } from "../zone-table";
