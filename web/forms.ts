/** The forms of the page: each setting stands on the one that its row names (src/settings/tables.ts), or else on that of its group. */
import { FORMS, GROUPS, type FieldName, type FormField, type FormName, type GroupName } from "./tables";

export const fieldOf = (group: GroupName, path: string): FormField => GROUPS[group][path] as FormField;

/** Name of a setting in the texts. */
export const wordOf = (group: GroupName, path: string): FieldName =>
  `${group}.${path.replace(/\.\d+/g, "")}` as FieldName;

/** Members of the form's group that stand on it, in the order of the table. */
export function pathsOf(form: FormName): string[] {
  const group = FORMS[form];
  return Object.keys(GROUPS[group]).filter((path) => (fieldOf(group, path).form ?? group) === form);
}
